import type { LedgerEntry } from '../ledger/click-ledger';
import { rollupsOfOrder } from '../ledger/orders';
import type { Rollup } from '../ledger/rollup';

/** What one entry of the ledger adds to the rollups. */
export function rollupsOf(entry: LedgerEntry): Rollup[] {
  if (entry.type === 'order') return rollupsOfOrder(entry.order);
  const { campaign, product, placement, day, type, verdict, cost } = entry.hit;
  return [{ campaign, product, placement, day, measure: `${type}/${verdict}`, count: 1, micros: cost }];
}
