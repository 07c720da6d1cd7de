import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDocuments } from '../../src/documents/adapters/embedded/embedded-documents';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { compiled } from '../../src/storage/threads';
import { describeDocumentsContract } from './documents.contract';

const commands = compiled('documents/adapters/embedded/documents.commands');

describeDocumentsContract('embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  let database = await EmbeddedDatabase.open(folder, [commands]);
  return {
    documents: new EmbeddedDocuments(database),
    reopen: async () => {
      await database.close();
      database = await EmbeddedDatabase.open(folder, [commands]);
      return new EmbeddedDocuments(database);
    },
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
});
