import { Archive } from '../../../../storage/archive';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { rowPages } from '../../../../storage/sqlite/row-pages';
import type { LedgerEntry } from '../../click-ledger';
import { interactionLine, LEDGER_ENTRIES, type LedgerArchiveEntry, rollupLine, spendLine } from '../../ledger-archive';
import { rollupsOf } from '../../ledger-rules';
import { rollupKey } from '../../rollup';
import type { commands } from './click-ledger.commands';
import { INTERACTION_COLUMNS, interactionOf, orderOf, ROLLUP_COLUMNS, rollupOf } from './ledger-rows';
import { nameOf } from './restore-ledger';

/** The ledger of the embedded database. */
export class EmbeddedLedgerArchive extends Archive<LedgerArchiveEntry> {
  override readonly types = LEDGER_ENTRIES;

  constructor(private readonly database: EmbeddedDatabase) {
    super();
  }

  override async *read(): AsyncGenerator<LedgerArchiveEntry[]> {
    const { reader } = this.database;
    // Rollups that no entry adds to are of days whose entries have gone.
    const followed = new Set<string>();
    const follow = (store: string, entry: LedgerEntry): void => {
      for (const row of rollupsOf(entry)) followed.add(`${store} ${rollupKey(row)}`);
    };
    const interactions = `SELECT seq, issued, once, ${INTERACTION_COLUMNS} FROM showcase_hit WHERE seq > ? ORDER BY seq LIMIT ?`;
    for (const rows of rowPages(reader, { sql: interactions, after: [0] })) {
      yield rows.map(([seq, issued, key, ...row]) => {
        const interaction = interactionOf(row);
        follow(interaction.store, { type: 'interaction', interaction });
        return interactionLine(nameOf(seq, key), Number(issued), interaction);
      });
    }
    const orders = 'SELECT seq, body FROM showcase_order WHERE seq > ? ORDER BY seq LIMIT ?';
    for (const rows of rowPages(reader, { sql: orders, after: [0] })) {
      const page = rows.map(([, body]) => ({ type: 'order' as const, order: orderOf(body) }));
      for (const entry of page) follow(entry.order.store, entry);
      yield page;
    }
    yield this.spends();
    const totals = reader.all(`SELECT store, ${ROLLUP_COLUMNS} FROM showcase_total WHERE count <> 0`);
    const rollups = totals.map(([store, ...row]) => rollupLine(String(store), rollupOf(row)));
    yield rollups.filter(({ store, row }) => !followed.has(`${store} ${rollupKey(row)}`));
  }

  override async restore(entries: readonly LedgerArchiveEntry[]): Promise<void> {
    await this.database.writer.calls<typeof commands>()('ledger.restore', entries);
  }

  override async state(): Promise<string> {
    const { reader } = this.database;
    const numbers = reader.one("SELECT seq FROM sqlite_sequence WHERE name = 'showcase_hit'");
    const totals = reader.one('SELECT count(*), sum(count), sum(micros) FROM showcase_total');
    return JSON.stringify([numbers, totals, reader.one('SELECT count(*), sum(length(body)) FROM showcase_order')]);
  }

  private spends(): LedgerArchiveEntry[] {
    const campaigns = this.database.reader.all(
      'SELECT store, campaign, json_group_object(day, micros) FROM showcase_spend GROUP BY store, campaign ORDER BY store, campaign',
    );
    return campaigns.map(([store, campaign, spent]) => {
      const { '': total = 0, ...days } = JSON.parse(String(spent)) as Record<string, number>;
      return spendLine(String(store), String(campaign), { total, days });
    });
  }
}
