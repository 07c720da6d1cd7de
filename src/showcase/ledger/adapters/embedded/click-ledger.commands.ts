import { defineWriterCommands } from '../../../../storage/sqlite/writer-commands';
import type { Statements } from '../../../../storage/sqlite/sqlite';
import { type Charge, type ClickVerdict, type Interaction, MOST_FOREIGN } from '../../click-ledger';
import { add } from './ledger-totals';
import { restoreLedger } from './restore-ledger';
import { afterStep, type FindClick, rollupsOfOrder, type OrderState, type OrderStep } from '../../orders';

function hit(sql: Statements, sent: Interaction): ClickVerdict {
  const verdict = sent.verdict ?? judge(sql, sent);
  const { store, type, campaign, product, placement, day, at, issuedAt, shopper, once } = sent;
  const cost = verdict === 'valid' ? (sent.charge?.cost ?? 0) : 0;
  const decided = sent.verdict === null && verdict !== 'duplicate' && verdict !== 'shared';
  sql.run(
    `INSERT INTO showcase_hit (store, type, verdict, campaign, product, placement, day, at, issued, shopper, cost, once)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    store,
    type,
    verdict,
    campaign,
    product,
    placement,
    day,
    at,
    issuedAt,
    shopper,
    cost,
    decided ? once : null,
  );
  add(sql, store, { campaign, product, placement, day, measure: `${type}/${verdict}`, count: 1, micros: cost });
  return verdict;
}

function judge(sql: Statements, { store, campaign, day, at, once, foreign, charge }: Interaction): ClickVerdict {
  if (sql.one('SELECT 1 FROM showcase_hit WHERE store = ? AND once = ?', store, once)) return 'duplicate';
  if (foreign !== null && !takePlace(sql, store, foreign, at)) return 'shared';
  if (charge && !spend(sql, { store, campaign, day }, charge)) return 'over_budget';
  return 'valid';
}

function takePlace(sql: Statements, store: string, link: string, at: number): boolean {
  const taken = sql.run(
    `INSERT INTO showcase_foreign (store, link, at, clicks) VALUES (?, ?, ?, 1)
     ON CONFLICT DO UPDATE SET clicks = clicks + 1 WHERE clicks < ?`,
    store,
    link,
    at,
    MOST_FOREIGN,
  );
  return taken > 0;
}

/** False where it would exceed a budget; then nothing is spent. */
function spend(sql: Statements, of: { store: string; campaign: string; day: string }, charge: Charge): boolean {
  const { store, campaign, day } = of;
  const spent = (on: string): number =>
    Number(
      sql.one(
        'SELECT micros FROM showcase_spend WHERE store = ? AND day = ? AND campaign = ?',
        store,
        on,
        campaign,
      )?.[0] ?? 0,
    );
  if (spent('') + charge.cost > charge.budget) return false;
  if (charge.dailyBudget !== null && spent(day) + charge.cost > charge.dailyBudget) return false;
  for (const on of ['', day]) {
    sql.run(
      `INSERT INTO showcase_spend (store, day, campaign, micros) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET micros = micros + excluded.micros`,
      store,
      on,
      campaign,
      charge.cost,
    );
  }
  return true;
}

function order(sql: Statements, step: OrderStep): OrderState | null {
  const body = sql.one('SELECT body FROM showcase_order WHERE store = ? AND id = ?', step.store, step.order)?.[0];
  const before = body === undefined ? null : (JSON.parse(String(body)) as OrderState);
  const after = afterStep(before, step, step.kind === 'sale' ? lastClick(sql, step) : () => null);
  if (after === before || after === null) return after;
  const { store, order: id, day, shopper } = after;
  sql.run(
    `INSERT INTO showcase_order (store, id, day, shopper, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET day = excluded.day, shopper = excluded.shopper, body = excluded.body`,
    store,
    id,
    day,
    shopper,
    JSON.stringify(after),
  );
  if (before) for (const row of rollupsOfOrder(before)) add(sql, store, row, -1);
  for (const row of rollupsOfOrder(after)) add(sql, store, row);
  return after;
}

function lastClick(sql: Statements, step: Extract<OrderStep, { kind: 'sale' }>): FindClick {
  return (product) => {
    let latest: { at: number; found: ReturnType<FindClick> } | null = null;
    for (const shopper of step.shoppers) {
      const row = sql.one(
        `SELECT campaign, placement, at FROM showcase_hit WHERE store = ? AND shopper = ? AND product = ? AND at >= ?
         AND type = 'click' AND verdict = 'valid' ORDER BY at DESC, seq DESC LIMIT 1`,
        step.store,
        shopper,
        product,
        step.clickedSince,
      );
      if (!row || (latest && latest.at >= Number(row[2]))) continue;
      const click = { campaign: String(row[0]), placement: String(row[1]) };
      latest = { at: Number(row[2]), found: { shopper, click } };
    }
    return latest?.found ?? null;
  };
}

/** Rows of one call: a commit must not take long. */
const CHUNK = 2000;

interface Expiry {
  store: string;
  before: string;
  after: number;
}

/** One stretch of the interactions; `next`: where the following one begins, null at the end. */
function expire(sql: Statements, { store, before, after }: Expiry): { removed: number; next: number | null } {
  const last = sql.one(
    'SELECT max(seq) FROM (SELECT seq FROM showcase_hit WHERE seq > ? ORDER BY seq LIMIT ?)',
    after,
    CHUNK,
  )?.[0];
  if (typeof last !== 'number') {
    sql.run('DELETE FROM showcase_foreign WHERE store = ? AND at < ?', store, Date.parse(`${before}T00:00:00Z`));
    return {
      removed: sql.run("DELETE FROM showcase_order WHERE store = ? AND day < ? AND day <> ''", store, before),
      next: null,
    };
  }
  const removed = sql.run(
    'DELETE FROM showcase_hit WHERE +store = ? AND seq > ? AND seq <= ? AND day < ?',
    store,
    after,
    last,
    before,
  );
  return { removed, next: last };
}

function forget(sql: Statements, { store, shopper }: { store: string; shopper: string }): number {
  const hits = sql.run('UPDATE showcase_hit SET shopper = NULL WHERE store = ? AND shopper = ?', store, shopper);
  const orders = sql.run(
    `UPDATE showcase_order SET shopper = NULL, body = json_set(body, '$.shopper', NULL) WHERE store = ? AND shopper = ?`,
    store,
    shopper,
  );
  return hits + orders;
}

export const commands = defineWriterCommands({
  'ledger.hit': hit,
  'ledger.order': order,
  'ledger.expire': expire,
  'ledger.forget': forget,
  'ledger.restore': restoreLedger,

  /** A part of it at a time; 0: nothing is left. */
  'ledger.removeSome': (sql, store: string): number =>
    sql.run(
      'DELETE FROM showcase_hit WHERE seq IN (SELECT seq FROM showcase_hit WHERE store = ? LIMIT ?)',
      store,
      CHUNK,
    ),

  'ledger.removeRest': (sql, store: string): number => {
    for (const table of ['showcase_foreign', 'showcase_spend', 'showcase_total']) {
      sql.run(`DELETE FROM ${table} WHERE store = ?`, store);
    }
    return sql.run('DELETE FROM showcase_order WHERE store = ?', store);
  },
});
