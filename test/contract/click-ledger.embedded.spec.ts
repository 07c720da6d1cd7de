import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedClickLedger } from '../../src/showcase/ledger/adapters/embedded/embedded-click-ledger';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { compiled } from '../../src/storage/threads';
import { StandingClock } from '../support/whole-app';
import { describeClickLedgerContract } from './click-ledger.contract';

describeClickLedgerContract('embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const commands = compiled('showcase/ledger/adapters/embedded/click-ledger.commands');
  const database = await EmbeddedDatabase.open(folder, [commands]);
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
