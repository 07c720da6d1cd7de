import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedSearchEngine } from '../../src/engine/adapters/embedded/embedded-search-engine';
import { SearchThread } from '../../src/engine/adapters/embedded/thread/search-thread';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { compiled } from '../../src/storage/threads';
import { ShiftedClock } from '../support/engine-bench';
import { describeSearchEngineContract } from './search-engine.contract';

const commands = compiled('engine/adapters/embedded/index/engine.commands');

describeSearchEngineContract('embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const database = await EmbeddedDatabase.open(folder, [commands]);
  const clock = new ShiftedClock();
  const engine = await EmbeddedSearchEngine.open(database, {
    clock,
    thread: new SearchThread({ path: database.path }, 20_000),
  });
  return {
    engine,
    clock,
    close: async () => {
      await engine.close();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
