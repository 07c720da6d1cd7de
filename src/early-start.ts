import type { Settings } from './config/settings';
import { SearchThread } from './search/engine/adapters/embedded/search-thread';
import { databasePath, EmbeddedDatabase } from './storage/embedded-database';
import { procedureModules } from './storage/procedure-modules';

/** Threads of the embedded storage that run already. */
export interface EarlyStart {
  database: Promise<EmbeddedDatabase>;
  searchThread: SearchThread;
}

/** Lets the threads open the database and load the index while this thread still loads the service's code; none in production. */
export function startEarly(settings: Settings): EarlyStart | undefined {
  if (settings.storage === 'production') return undefined;
  const database = EmbeddedDatabase.open(settings.dataDir, procedureModules());
  // Whoever awaits it is told; until then a failure is nobody's.
  database.catch(() => undefined);
  return { database, searchThread: new SearchThread({ path: databasePath(settings.dataDir) }) };
}
