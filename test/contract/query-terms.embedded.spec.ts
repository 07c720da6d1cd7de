import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedQueryTerms } from '../../src/search/terms/adapters/embedded/embedded-query-terms';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { compiled } from '../../src/storage/threads';
import { describeQueryTermsContract } from './query-terms.contract';

const commands = compiled('search/terms/adapters/embedded/query-terms.commands');

describeQueryTermsContract('embedded', async (clock) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const database = await EmbeddedDatabase.open(folder, [commands]);
  const subject = {
    terms: new EmbeddedQueryTerms(database, clock),
    reopen: async () => {
      await subject.terms.close();
      subject.terms = new EmbeddedQueryTerms(database, clock);
      return subject.terms;
    },
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return subject;
});
