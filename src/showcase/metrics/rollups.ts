import type { LedgerEntry, Rollup } from '../ledger/click-ledger';
import { rollupsOfOrder } from '../ledger/orders';

/** What one entry of the ledger adds to the rollups. */
export function rollupsOf(entry: LedgerEntry): Rollup[] {
  if (entry.type === 'order') return rollupsOfOrder(entry.order);
  const { campaign, product, placement, day, type, verdict, cost } = entry.hit;
  return [{ campaign, product, placement, day, measure: `${type}/${verdict}`, count: 1, micros: cost }];
}

export function rollupKey({ campaign, product, placement, day, measure }: Rollup): string {
  return JSON.stringify([day, campaign, product, placement, measure]);
}

/** Each row once. */
export function rollUp(rows: Iterable<Rollup>): Rollup[] {
  const rollups = new Map<string, Rollup>();
  for (const row of rows) addTo(rollups, row);
  return [...rollups.values()];
}

export function addTo(rollups: Map<string, Rollup>, row: Rollup): void {
  const name = rollupKey(row);
  const known = rollups.get(name);
  rollups.set(name, known ? { ...known, count: known.count + row.count, micros: known.micros + row.micros } : row);
}
