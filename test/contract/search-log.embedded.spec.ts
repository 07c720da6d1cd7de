import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedSearchArchive } from '../../src/search/log/adapters/embedded/embedded-search-archive';
import { EmbeddedSearchLog } from '../../src/search/log/adapters/embedded/embedded-search-log';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { compiled } from '../../src/storage/threads';
import { describeSearchLogContract, type OpenSearchLog } from './search-log.contract';

const commands = compiled('search/log/adapters/embedded/search-log.commands');

async function open(): Promise<OpenSearchLog> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const database = await EmbeddedDatabase.open(folder, [commands]);
  return {
    log: new EmbeddedSearchLog(database),
    archive: new EmbeddedSearchArchive(database),
    elsewhere: open,
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describeSearchLogContract('embedded', open);
