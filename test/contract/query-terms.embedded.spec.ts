import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../src/clock';
import { EmbeddedQueryTerms } from '../../src/search/query/adapters/embedded/embedded-query-terms';
import { EmbeddedDatabase } from '../../src/storage/embedded-database';
import { compiled } from '../../src/storage/threads';
import { describeQueryTermsContract } from './query-terms.contract';

const procedures = compiled('search/query/adapters/embedded/query-terms.procedures');

describeQueryTermsContract('embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const database = await EmbeddedDatabase.open(folder, [procedures]);
  const terms = new EmbeddedQueryTerms(database, new SystemClock());
  return {
    terms,
    reopen: async () => {
      await terms.close();
      return new EmbeddedQueryTerms(database, new SystemClock());
    },
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
