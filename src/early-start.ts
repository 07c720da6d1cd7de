import type { Settings } from './config/settings';
import { SearchThread } from './engine/adapters/embedded/thread/search-thread';
import { databasePath } from './storage/sqlite/embedded-database';
import { openStorage, type Storage } from './storage/storage';

/** Parts of the embedded service that are opened before the rest is loaded. */
export interface EarlyStart {
  storage: Promise<Storage>;
  /** Of the embedded storage. */
  searchThread?: SearchThread;
}

/** Lets the threads open the database and load the index while this thread loads the code of the service. */
export function startEarly(settings: Settings): EarlyStart {
  const storage = openStorage(settings);
  // Who awaits it hears of a failure; until then it must not count as unhandled.
  storage.catch(() => undefined);
  return { storage, searchThread: new SearchThread({ path: databasePath(settings.dataDir) }) };
}
