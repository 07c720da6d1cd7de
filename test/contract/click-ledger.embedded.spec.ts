import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedClickLedger } from '../../src/showcase/clicks/adapters/embedded/embedded-click-ledger';
import { EmbeddedDatabase } from '../../src/storage/embedded-database';
import { compiled } from '../../src/storage/threads';
import { StandingClock } from '../support/whole-app';
import { describeClickLedgerContract } from './click-ledger.contract';

describeClickLedgerContract('embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const procedures = compiled('showcase/clicks/adapters/embedded/click-ledger.procedures');
  const database = await EmbeddedDatabase.open(folder, [procedures]);
  return {
    ledger: new EmbeddedClickLedger(database),
    other: async () => new EmbeddedClickLedger(database),
    clock: new StandingClock(),
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
});
