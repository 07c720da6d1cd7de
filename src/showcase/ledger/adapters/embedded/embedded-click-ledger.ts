import type { ShopperKey } from '../../../../behaviour/shoppers/shopper';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import type { Calls } from '../../../../storage/sqlite/writer-commands';
import type { SqlRow } from '../../../../storage/sqlite/sqlite';
import {
  ClickLedger,
  type ClickVerdict,
  type Interaction,
  type LedgerEntry,
  type Removal,
  type Spent,
} from '../../click-ledger';
import type { OrderState, OrderStep } from '../../orders';
import type { commands } from './click-ledger.commands';
import { interactionOf, rollupOf } from './ledger-rows';
import type { Rollup } from '../../rollup';

const PAGE = 1000;

/**
 * The ledger in the embedded database. All writes are transactions of one thread, so that a verdict, what it costs, the rollups and the
 * entry itself are one step.
 */
export class EmbeddedClickLedger extends ClickLedger {
  private readonly call: Calls<typeof commands>;

  constructor(private readonly database: EmbeddedDatabase) {
    super();
    this.call = database.writer.calls<typeof commands>();
  }

  override hit(hit: Interaction): Promise<ClickVerdict> {
    return this.call('ledger.hit', hit);
  }

  override order(step: OrderStep): Promise<OrderState | null> {
    return this.call('ledger.order', step);
  }

  override async spent(query: {
    store: string;
    campaigns: readonly string[];
    day: string;
  }): Promise<Map<string, Spent>> {
    const { store, campaigns, day } = query;
    const sql = 'SELECT campaign, micros FROM showcase_spend WHERE store = ? AND day = ?';
    const on = (one: string): Map<string, number> =>
      new Map(
        this.database.reader.all(sql, store, one).map(([campaign, micros]) => [String(campaign), Number(micros)]),
      );
    const [total, today] = [on(''), on(day)];
    return new Map(campaigns.map((id) => [id, { total: total.get(id) ?? 0, today: today.get(id) ?? 0 }]));
  }

  override async totals({ store, from, to }: { store: string; from: string; to: string }): Promise<Rollup[]> {
    const rows = this.database.reader.all(
      `SELECT campaign, product, placement, day, measure, count, micros FROM showcase_total
       WHERE store = ? AND day >= ? AND day <= ? AND count <> 0`,
      store,
      from,
      to,
    );
    return rows.map(rollupOf);
  }

  override async *entries(query: { store: string; shopper?: ShopperKey }): AsyncGenerator<LedgerEntry[]> {
    const columns = 'seq, store, type, verdict, campaign, product, placement, at, day, shopper, cost';
    for await (const rows of this.pages('showcase_hit', columns, query)) {
      yield rows.map((row) => ({ type: 'hit', hit: interactionOf(row) }));
    }
    for await (const rows of this.pages('showcase_order', 'seq, body', query)) {
      yield rows.map(([, body]) => ({ type: 'order', order: JSON.parse(String(body)) as OrderState }));
    }
  }

  override async remove(removal: Removal): Promise<number> {
    const { store } = removal;
    if ('shopper' in removal) return this.call('ledger.forget', { store, shopper: removal.shopper });
    let removed = 0;
    if ('before' in removal) {
      for (let after: number | null = 0; after !== null;) {
        const done: { removed: number; next: number | null } = await this.call('ledger.expire', {
          store,
          before: removal.before,
          after,
        });
        removed += done.removed;
        after = done.next;
      }
      return removed;
    }
    for (;;) {
      const some = await this.call('ledger.removeSome', store);
      removed += some;
      if (some === 0) return removed + (await this.call('ledger.removeRest', store));
    }
  }

  override async settle(): Promise<number> {
    return 0;
  }

  private async *pages(
    table: string,
    columns: string,
    query: { store: string; shopper?: ShopperKey },
  ): AsyncGenerator<SqlRow[]> {
    const { store, shopper } = query;
    for (let after = 0; ;) {
      const { reader } = this.database;
      const rows = shopper
        ? reader.all(
            `SELECT ${columns} FROM ${table} WHERE store = ? AND shopper = ? AND seq > ? ORDER BY seq LIMIT ?`,
            store,
            shopper,
            after,
            PAGE,
          )
        : reader.all(
            `SELECT ${columns} FROM ${table} WHERE +store = ? AND seq > ? ORDER BY seq LIMIT ?`,
            store,
            after,
            PAGE,
          );
      if (rows.length > 0) yield rows;
      if (rows.length < PAGE) return;
      after = Number(rows.at(-1)?.[0]);
      // So that requests come between the pages.
      await new Promise((done) => setImmediate(done));
    }
  }
}
