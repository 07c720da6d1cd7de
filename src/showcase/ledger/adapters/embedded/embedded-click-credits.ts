import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { rowPages } from '../../../../storage/sqlite/row-pages';
import { ClickCredits, type FoundInvalid, type NamedInteraction } from '../../click-credits';
import type { LedgerDays, StoredInteraction } from '../../click-ledger';
import type { commands } from './click-ledger.commands';
import { INTERACTION_COLUMNS, interactionOf } from './ledger-rows';

/** Clicks of one transaction: a commit must not take long. */
const CHUNK = 500;

/** Credits in the embedded database: a click, its rollups and what is spent change in one transaction of the only writer. */
export class EmbeddedClickCredits extends ClickCredits {
  constructor(private readonly database: EmbeddedDatabase) {
    super();
  }

  override clicks(days: LedgerDays): AsyncGenerator<NamedInteraction[]> {
    return this.pages(days, 'click');
  }

  override async *views(days: LedgerDays): AsyncGenerator<StoredInteraction[]> {
    for await (const page of this.pages(days, 'view')) yield page.map(({ interaction }) => interaction);
  }

  override async credit(store: string, found: readonly FoundInvalid[]): Promise<number> {
    const call = this.database.writer.calls<typeof commands>();
    let credited = 0;
    for (let from = 0; from < found.length; from += CHUNK) {
      credited += await call('ledger.credit', { store, found: found.slice(from, from + CHUNK) });
    }
    return credited;
  }

  private async *pages({ store, from, to }: LedgerDays, type: string): AsyncGenerator<NamedInteraction[]> {
    const counts = "verdict IN ('valid', 'invalid')";
    const sql = `
      SELECT day, seq, issued, ${INTERACTION_COLUMNS} FROM showcase_hit WHERE store = ? AND type = ? AND day <= ? AND ${counts}
      AND (day, seq) > (?, ?) ORDER BY day, seq LIMIT ?`;
    for (const rows of rowPages(this.database.reader, { sql, values: [store, type, to], after: [from, 0] })) {
      yield rows.map(([, seq, issued, ...row]) => {
        return { id: String(seq), issuedAt: Number(issued), interaction: interactionOf(row) };
      });
      // Lets requests run between the pages.
      await nextTurn();
    }
  }
}
