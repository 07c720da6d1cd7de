import type { InteractionEntry, LedgerArchiveEntry, SpendEntry, RollupEntry } from '../../ledger-archive';
import type { Statements } from '../../../../storage/sqlite/sqlite';
import { rollupsOfOrder, type OrderState } from '../../orders';
import { add } from './ledger-totals';

/** Of an interaction that counts for nothing, what stands where others have what they count once by. */
export const UNCOUNTED = 'x:';

/** Verdicts that an interaction of the same link, shopper and half hour gets once. */
export const isCounted = ({ verdict }: { verdict: string }): boolean =>
  verdict === 'valid' || verdict === 'over_budget';

/** Writes entries as they were elsewhere; those that are there already stay as they are. */
export function restoreLedger(sql: Statements, entries: readonly LedgerArchiveEntry[]): null {
  for (const entry of entries) {
    if (entry.type === 'hit') restoreInteraction(sql, entry);
    else if (entry.type === 'order') restoreOrder(sql, entry.order);
    else if (entry.type === 'spend') restoreSpend(sql, entry);
    else restoreRollup(sql, entry);
  }
  return null;
}

function restoreInteraction(sql: Statements, { id, issuedAt, hit }: InteractionEntry): void {
  const { store, type, verdict, campaign, product, placement, day, at, shopper, cost } = hit;
  const written = sql.run(
    `INSERT OR IGNORE INTO showcase_hit (store, type, verdict, campaign, product, placement, day, at, issued, shopper, cost, once)
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
    isCounted(hit) ? id : `${UNCOUNTED}${id}`,
  );
  if (written === 0) return;
  add(sql, store, { campaign, product, placement, day, measure: `${type}/${verdict}`, count: 1, micros: cost });
}

function restoreOrder(sql: Statements, order: OrderState): void {
  const { store, order: id, day, shopper } = order;
  const written = sql.run(
    'INSERT OR IGNORE INTO showcase_order (store, id, day, shopper, body) VALUES (?, ?, ?, ?, ?)',
    store,
    id,
    day,
    shopper,
    JSON.stringify(order),
  );
  if (written > 0) for (const row of rollupsOfOrder(order)) add(sql, store, row);
}

function restoreSpend(sql: Statements, { store, campaign, total, days }: SpendEntry): void {
  for (const [day, micros] of [['', total] as const, ...Object.entries(days)]) {
    sql.run(
      `INSERT INTO showcase_spend (store, day, campaign, micros) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET micros = excluded.micros`,
      store,
      day,
      campaign,
      micros,
    );
  }
}

/** Of days without entries, so that nothing else adds to it. */
function restoreRollup(sql: Statements, { store, row }: RollupEntry): void {
  const { day, campaign, product, placement, measure, count, micros } = row;
  sql.run(
    `INSERT INTO showcase_total (store, day, campaign, product, placement, measure, count, micros) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = excluded.count, micros = excluded.micros`,
    store,
    day,
    campaign,
    product,
    placement,
    measure,
    count,
    micros,
  );
}
