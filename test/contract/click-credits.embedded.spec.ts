import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedClickCredits } from '../../src/showcase/ledger/adapters/embedded/embedded-click-credits';
import { EmbeddedClickLedger } from '../../src/showcase/ledger/adapters/embedded/embedded-click-ledger';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { compiled } from '../../src/storage/threads';
import { describeClickCreditsContract } from './click-credits.contract';

describeClickCreditsContract('embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const commands = compiled('showcase/ledger/adapters/embedded/click-ledger.commands');
  const database = await EmbeddedDatabase.open(folder, [commands]);
  return {
    ledger: new EmbeddedClickLedger(database),
    credits: new EmbeddedClickCredits(database),
    other: async () => new EmbeddedClickCredits(database),
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
});
