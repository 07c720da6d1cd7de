import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedSearchEngine } from '../../src/search/engine/adapters/embedded/embedded-search-engine';
import { SearchThread } from '../../src/search/engine/adapters/embedded/search-thread';
import { EmbeddedDatabase } from '../../src/storage/embedded-database';
import { compiled } from '../../src/storage/threads';
import { describeSearchEngineContract } from './search-engine.contract';

const procedures = compiled('search/engine/adapters/embedded/engine.procedures');

describeSearchEngineContract('embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const database = await EmbeddedDatabase.open(folder, [procedures]);
  const engine = await EmbeddedSearchEngine.open(database, {
    thread: new SearchThread({ path: database.path }, 20_000),
  });
  return {
    engine,
    close: async () => {
      await engine.close();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
