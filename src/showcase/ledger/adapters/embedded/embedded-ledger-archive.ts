import { type InteractionEntry, LedgerArchive, type LedgerArchiveEntry, type SpendEntry } from '../../ledger-archive';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import type { Calls } from '../../../../storage/sqlite/writer-commands';
import type { SqlRow } from '../../../../storage/sqlite/sqlite';
import { rollupsOf } from '../../../metrics/rollups';
import type { LedgerEntry } from '../../click-ledger';
import type { OrderState } from '../../orders';
import type { commands } from './click-ledger.commands';
import { interactionOf, rollupOf } from './ledger-rows';
import { UNCOUNTED } from './restore-ledger';
import { addTo, rollupKey, type Rollup } from '../../rollup';

const PAGE = 1000;

/** The ledger of the embedded database. */
export class EmbeddedLedgerArchive extends LedgerArchive {
  private readonly call: Calls<typeof commands>;

  constructor(private readonly database: EmbeddedDatabase) {
    super();
    this.call = database.writer.calls<typeof commands>();
  }

  override async *read(): AsyncGenerator<LedgerArchiveEntry[]> {
    // What the entries add up to, by store: rollups beyond that are of days whose entries have gone.
    const known = new Map<string, Map<string, Rollup>>();
    const count = (store: string, entry: LedgerEntry): void => {
      const rollups = known.get(store) ?? new Map<string, Rollup>();
      known.set(store, rollups);
      for (const row of rollupsOf(entry)) addTo(rollups, row);
    };
    const columns = 'seq, store, type, verdict, campaign, product, placement, at, day, shopper, cost, issued, once';
    for (const rows of this.pages('showcase_hit', columns)) {
      const page = rows.map(interactionEntryOf);
      for (const { hit } of page) count(hit.store, { type: 'hit', hit });
      yield page;
    }
    for (const rows of this.pages('showcase_order', 'seq, body')) {
      const orders = rows.map(([, body]) => JSON.parse(String(body)) as OrderState);
      for (const order of orders) count(order.store, { type: 'order', order });
      yield orders.map((order) => ({ type: 'order', order }));
    }
    yield this.spends();
    yield this.rollups(known);
  }

  override async restore(entries: readonly LedgerArchiveEntry[]): Promise<void> {
    await this.call('ledger.restore', entries);
  }

  override async state(): Promise<string> {
    const { reader } = this.database;
    const numbers = reader.one("SELECT seq FROM sqlite_sequence WHERE name = 'showcase_hit'");
    const totals = reader.one('SELECT count(*), sum(count), sum(micros) FROM showcase_total');
    return JSON.stringify([numbers, totals, reader.one('SELECT count(*), sum(length(body)) FROM showcase_order')]);
  }

  private spends(): SpendEntry[] {
    const rows = this.database.reader.all(
      'SELECT store, campaign, day, micros FROM showcase_spend ORDER BY store, campaign, day',
    );
    const spends = new Map<string, SpendEntry>();
    for (const [store, campaign, day, micros] of rows) {
      const name = JSON.stringify([store, campaign]);
      const spend: SpendEntry = spends.get(name) ?? {
        type: 'spend',
        store: String(store),
        campaign: String(campaign),
        total: 0,
        days: {},
      };
      spends.set(name, spend);
      if (day === '') spend.total = Number(micros);
      else spend.days[String(day)] = Number(micros);
    }
    return [...spends.values()].map((spend) => ({ ...spend, days: lastDays(spend.days) }));
  }

  private rollups(known: ReadonlyMap<string, ReadonlyMap<string, Rollup>>): LedgerArchiveEntry[] {
    const rows = this.database.reader.all(
      'SELECT store, campaign, product, placement, day, measure, count, micros FROM showcase_total WHERE count <> 0',
    );
    return rows.flatMap(([store, ...sum]): LedgerArchiveEntry[] => {
      const row = rollupOf(sum);
      return known.get(String(store))?.has(rollupKey(row)) ? [] : [{ type: 'sum', store: String(store), row }];
    });
  }

  private *pages(table: string, columns: string): Generator<SqlRow[]> {
    for (let after = 0; ;) {
      const rows = this.database.reader.all(
        `SELECT ${columns} FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`,
        after,
        PAGE,
      );
      if (rows.length === 0) return;
      yield rows;
      after = Number(rows.at(-1)?.[0]);
    }
  }
}

const DAYS_KEPT = 4;

/** Budgets of days that are over are nobody's business any more. */
function lastDays(days: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(days).toSorted().slice(-DAYS_KEPT));
}

function interactionEntryOf(row: SqlRow): InteractionEntry {
  const [seq] = row;
  const [issued, once] = row.slice(-2);
  const own = once === null ? `s${Number(seq)}` : String(once).replace(new RegExp(`^${UNCOUNTED}`), '');
  return { type: 'hit', id: own, issuedAt: Number(issued), hit: interactionOf(row) };
}
