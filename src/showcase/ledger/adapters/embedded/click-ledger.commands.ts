import { defineWriterCommands } from '../../../../storage/sqlite/writer-commands';
import type { Statements } from '../../../../storage/sqlite/sqlite';
import { type ClickVerdict, type Interaction, LINK_SLOTS } from '../../click-ledger';
import type { FoundInvalid } from '../../click-credits';
import { canPay, creditedInteraction, storedInteraction, usesKey } from '../../ledger-rules';
import type { OrderState } from '../../order-state';
import { afterStep, type FindClick, type OrderStep, type Sale } from '../../orders';
import {
  addInteraction,
  INTERACTION_COLUMNS,
  interactionOf,
  readOrder,
  readSpent,
  writeCredited,
  writeOrder,
  writeSpent,
} from './ledger-rows';
import { restoreLedger } from './restore-ledger';

function record(sql: Statements, sent: Interaction): ClickVerdict {
  const verdict = sent.verdict ?? judge(sql, sent);
  const key = usesKey(verdict) ? sent.idempotencyKey : null;
  addInteraction(sql, storedInteraction(sent, verdict), { issuedAt: sent.issuedAt, key });
  return verdict;
}

const TAKE_SLOT = `
  INSERT INTO showcase_foreign (store, link, at, clicks) VALUES (?, ?, ?, 1)
  ON CONFLICT DO UPDATE SET clicks = clicks + 1 WHERE clicks < ?`;

function judge(sql: Statements, sent: Interaction): ClickVerdict {
  const { store, at, idempotencyKey, sharedLink } = sent;
  if (sql.one('SELECT 1 FROM showcase_hit WHERE store = ? AND once = ?', store, idempotencyKey)) return 'duplicate';
  if (sharedLink !== null && sql.run(TAKE_SLOT, store, sharedLink, at, LINK_SLOTS) === 0) return 'shared';
  return spend(sql, sent) ? 'valid' : 'over_budget';
}

/** Spends the cost of a click; false where that would exceed a budget. */
function spend(sql: Statements, { store, campaign, day, charge }: Interaction): boolean {
  if (!charge) return true;
  const spent = { total: readSpent(sql, store, campaign, ''), today: readSpent(sql, store, campaign, day) };
  if (!canPay(charge, spent)) return false;
  writeSpent(sql, store, campaign, '', spent.total + charge.cost);
  writeSpent(sql, store, campaign, day, spent.today + charge.cost);
  return true;
}

const BILLED = `
  SELECT ${INTERACTION_COLUMNS} FROM showcase_hit WHERE seq = ? AND store = ? AND type = 'click' AND verdict = 'valid'`;

function credit(sql: Statements, { store, found }: { store: string; found: readonly FoundInvalid[] }): number {
  let credited = 0;
  for (const { id, reason } of found) {
    const row = sql.one(BILLED, Number(id), store);
    if (!row) continue;
    const before = interactionOf(row);
    const { campaign, day, cost } = before;
    writeCredited(sql, Number(id), before, creditedInteraction(before, reason));
    for (const period of ['', day]) {
      const spent = readSpent(sql, store, campaign, period);
      // Of a day that is long over the archive may have brought nothing.
      if (spent > 0) writeSpent(sql, store, campaign, period, spent - cost);
    }
    credited += 1;
  }
  return credited;
}

function order(sql: Statements, step: OrderStep): OrderState | null {
  const before = readOrder(sql, step.store, step.order);
  const after = afterStep(before, step, step.kind === 'sale' ? lastClick(sql, step) : () => null);
  if (after !== before && after !== null) writeOrder(sql, before, after);
  return after;
}

const LAST_CLICK = `
  SELECT at, campaign, placement FROM showcase_hit WHERE store = ? AND shopper = ? AND product = ? AND at >= ?
  AND type = 'click' AND verdict = 'valid' ORDER BY at DESC, seq DESC LIMIT 1`;

function lastClick(sql: Statements, { store, shoppers, clickedSince }: Sale): FindClick {
  return (product) => {
    const clicks = shoppers.flatMap((shopper) => {
      const row = sql.one(LAST_CLICK, store, shopper, product, clickedSince);
      if (!row) return [];
      const [at, campaign, placement] = row;
      return [{ at: Number(at), shopper, click: { campaign: String(campaign), placement: String(placement) } }];
    });
    return clicks.sort((a, b) => b.at - a.at)[0] ?? null;
  };
}

/** Rows of one removal: a commit must not take long. */
const CHUNK = 2000;

/** One step of a long removal: how much went, and where the next one begins; null at the end. */
export interface RemovalStep {
  removed: number;
  next: number | null;
}

/** Removes one stretch of the interactions; after the last one orders and link slots. */
function expire(
  sql: Statements,
  { store, before, after }: { store: string; before: string; after: number },
): RemovalStep {
  const stretch = 'SELECT max(seq) FROM (SELECT seq FROM showcase_hit WHERE seq > ? ORDER BY seq LIMIT ?)';
  const last = sql.one(stretch, after, CHUNK)?.[0];
  if (typeof last !== 'number') {
    sql.run('DELETE FROM showcase_foreign WHERE store = ? AND at < ?', store, Date.parse(`${before}T00:00:00Z`));
    const orders = sql.run("DELETE FROM showcase_order WHERE store = ? AND day < ? AND day <> ''", store, before);
    return { removed: orders, next: null };
  }
  const old = 'DELETE FROM showcase_hit WHERE +store = ? AND seq > ? AND seq <= ? AND day < ?';
  return { removed: sql.run(old, store, after, last, before), next: last };
}

/** Removes some interactions; after the last ones everything else. */
function removeStore(sql: Statements, store: string): RemovalStep {
  const some = 'DELETE FROM showcase_hit WHERE seq IN (SELECT seq FROM showcase_hit WHERE store = ? LIMIT ?)';
  const removed = sql.run(some, store, CHUNK);
  if (removed > 0) return { removed, next: 0 };
  for (const table of ['showcase_foreign', 'showcase_spend', 'showcase_total']) {
    sql.run(`DELETE FROM ${table} WHERE store = ?`, store);
  }
  return { removed: sql.run('DELETE FROM showcase_order WHERE store = ?', store), next: null };
}

function forget(sql: Statements, { store, shopper }: { store: string; shopper: string }): number {
  const of = 'WHERE store = ? AND shopper = ?';
  const nameless = 'shopper = NULL, address = NULL, agent = NULL, request = NULL';
  const interactions = sql.run(`UPDATE showcase_hit SET ${nameless} ${of}`, store, shopper);
  const body = "json_replace(json_set(body, '$.shopper', NULL, '$.buyer', NULL), '$.proof.buyers', json('[]'))";
  return interactions + sql.run(`UPDATE showcase_order SET shopper = NULL, body = ${body} ${of}`, store, shopper);
}

export const commands = defineWriterCommands({
  'ledger.record': record,
  'ledger.credit': credit,
  'ledger.order': order,
  'ledger.expire': expire,
  'ledger.removeStore': removeStore,
  'ledger.forget': forget,
  'ledger.restore': restoreLedger,
});
