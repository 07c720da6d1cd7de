import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ShopperKey } from '../../../../behaviour/shoppers/shopper';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { rowPages } from '../../../../storage/sqlite/row-pages';
import type { SqlRow } from '../../../../storage/sqlite/sqlite';
import type { Calls } from '../../../../storage/sqlite/writer-commands';
import {
  ClickLedger,
  type ClickVerdict,
  type Interaction,
  type LedgerDays,
  type LedgerEntry,
  type Removal,
  type Spent,
} from '../../click-ledger';
import type { OrderState } from '../../order-state';
import type { OrderStep } from '../../orders';
import type { Rollup } from '../../rollup';
import type { commands, RemovalStep } from './click-ledger.commands';
import { INTERACTION_COLUMNS, interactionOf, orderOf, ROLLUP_COLUMNS, rollupOf } from './ledger-rows';

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

  override record(interaction: Interaction): Promise<ClickVerdict> {
    return this.call('ledger.record', interaction);
  }

  override order(step: OrderStep): Promise<OrderState | null> {
    return this.call('ledger.order', step);
  }

  override async spent(store: string, campaigns: readonly string[], day: string): Promise<Map<string, Spent>> {
    const sql = 'SELECT campaign, micros FROM showcase_spend WHERE store = ? AND day = ?';
    const spentOn = (date: string): Map<unknown, number> =>
      new Map(this.database.reader.all(sql, store, date).map(([campaign, micros]) => [campaign, Number(micros)]));
    const [total, today] = [spentOn(''), spentOn(day)];
    return new Map(campaigns.map((id) => [id, { total: total.get(id) ?? 0, today: today.get(id) ?? 0 }]));
  }

  override async rollups({ store, from, to }: LedgerDays): Promise<Rollup[]> {
    const sql = `SELECT ${ROLLUP_COLUMNS} FROM showcase_total WHERE store = ? AND day >= ? AND day <= ? AND count <> 0`;
    return this.database.reader.all(sql, store, from, to).map(rollupOf);
  }

  override async *entries(store: string, shopper?: ShopperKey): AsyncGenerator<LedgerEntry[]> {
    for await (const rows of this.pages('showcase_hit', INTERACTION_COLUMNS, store, shopper)) {
      yield rows.map(([, ...row]) => ({ type: 'interaction', interaction: interactionOf(row) }));
    }
    for await (const rows of this.pages('showcase_order', 'body', store, shopper)) {
      yield rows.map(([, body]) => ({ type: 'order', order: orderOf(body) }));
    }
  }

  override async remove(removal: Removal): Promise<number> {
    const { store } = removal;
    if ('shopper' in removal) return this.call('ledger.forget', { store, shopper: removal.shopper });
    let removed = 0;
    for (let after: number | null = 0; after !== null;) {
      const step: RemovalStep =
        'before' in removal
          ? await this.call('ledger.expire', { store, before: removal.before, after })
          : await this.call('ledger.removeStore', store);
      removed += step.removed;
      after = step.next;
    }
    return removed;
  }

  /** Money and interaction are one step here: no claim is ever open. */
  override async settleOrphanedClaims(): Promise<number> {
    return 0;
  }

  private async *pages(table: string, columns: string, store: string, shopper?: ShopperKey): AsyncGenerator<SqlRow[]> {
    // `+`: reads all of a store in the order of `seq`, not by the index of shoppers.
    const where = shopper ? 'store = ? AND shopper = ?' : '+store = ?';
    const sql = `SELECT seq, ${columns} FROM ${table} WHERE ${where} AND seq > ? ORDER BY seq LIMIT ?`;
    const values = shopper ? [store, shopper] : [store];
    for (const rows of rowPages(this.database.reader, { sql, values, after: [0] })) {
      yield rows;
      // Lets requests run between the pages.
      await nextTurn();
    }
  }
}
