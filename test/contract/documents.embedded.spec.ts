import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDocuments } from '../../src/documents/adapters/embedded/embedded-documents';
import { EmbeddedDatabase } from '../../src/storage/embedded-database';
import { compiled } from '../../src/storage/threads';
import { describeDocumentsContract } from './documents.contract';

const procedures = compiled('documents/adapters/embedded/documents.procedures');

describeDocumentsContract('embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  let database = await EmbeddedDatabase.open(folder, [procedures]);
  return {
    documents: new EmbeddedDocuments(database),
    reopen: async () => {
      await database.close();
      database = await EmbeddedDatabase.open(folder, [procedures]);
      return new EmbeddedDocuments(database);
    },
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
});
