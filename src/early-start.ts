import type { Settings } from './config/settings';
import { SearchThread } from './engine/adapters/embedded/thread/search-thread';
import { databasePath, EmbeddedDatabase } from './storage/sqlite/embedded-database';
import { commandModules } from './storage/sqlite/command-modules';
import { Storage } from './storage/storage';

/** What is open already, or being opened. */
export interface EarlyStart {
  storage: Promise<Storage>;
  /** Of the embedded storage. */
  searchThread?: SearchThread;
}

/** Lets the threads open the database and load the index while this thread still loads the service's code. */
export function startEarly(settings: Settings): EarlyStart {
  const storage = EmbeddedDatabase.open(settings.dataDir, commandModules()).then((database) =>
    Storage.embedded(database),
  );
  // Whoever awaits it is told; until then a failure is nobody's.
  storage.catch(() => undefined);
  return { storage, searchThread: new SearchThread({ path: databasePath(settings.dataDir) }) };
}
