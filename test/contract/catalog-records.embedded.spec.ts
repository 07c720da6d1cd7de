import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedCatalogRecords } from '../../src/catalog/records/adapters/embedded/embedded-catalog-records';
import { AnyStore } from '../../src/catalog/records/unindexed-records';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { compiled } from '../../src/storage/threads';
import { describeCatalogRecordsContract } from './catalog-records.contract';

const commands = compiled('catalog/records/adapters/embedded/catalog-records.commands');

describeCatalogRecordsContract('embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const open = () => EmbeddedDatabase.open(folder, [commands]);
  let database = await open();
  return {
    records: new EmbeddedCatalogRecords(database),
    unindexed: new AnyStore(),
    reopen: async () => {
      await database.close();
      database = await open();
      return new EmbeddedCatalogRecords(database);
    },
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
