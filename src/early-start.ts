import type { Settings } from './config/settings';
import { SearchThread } from './engine/adapters/embedded/thread/search-thread';
import { databasePath } from './storage/sqlite/embedded-database';
import { openStorage, type Storage, takeDataFolder } from './storage/storage';

/** Parts of the embedded service that are opened before the rest is loaded. */
export interface EarlyStart {
  storage: Promise<Storage>;
  /** Of the embedded storage. */
  searchThread?: SearchThread;
}

/** Lets the threads open the database and load the index while this thread loads the code of the service. */
export function startEarly(settings: Settings): EarlyStart {
  const storage = openAlone(settings);
  // Who awaits it hears of a failure; until then it must not count as unhandled.
  storage.opening.catch(() => undefined);
  // Nothing touches a folder that belongs to another process.
  if (!storage.taken) return { storage: storage.opening };
  const setup = { path: databasePath(settings.dataDir), keptBytes: settings.keptSearchesBytes };
  return { storage: storage.opening, searchThread: new SearchThread(setup) };
}

function openAlone(settings: Settings): { taken: boolean; opening: Promise<Storage> } {
  try {
    const folder = takeDataFolder(settings);
    return { taken: true, opening: openStorage(settings, folder) };
  } catch (error) {
    return { taken: false, opening: Promise.reject(error) };
  }
}
