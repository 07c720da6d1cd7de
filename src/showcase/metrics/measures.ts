import type { LedgerEntry, Measure } from '../clicks/click-ledger';
import { measuresOfOrder } from '../clicks/orders';

/** What one entry of the ledger adds to the sums. */
export function measuresOf(entry: LedgerEntry): Measure[] {
  if (entry.type === 'order') return measuresOfOrder(entry.order);
  const { campaign, product, placement, day, type, verdict, cost } = entry.hit;
  return [{ campaign, product, placement, day, measure: `${type}/${verdict}`, count: 1, micros: cost }];
}

export function nameOfMeasure({ campaign, product, placement, day, measure }: Measure): string {
  return JSON.stringify([day, campaign, product, placement, measure]);
}

/** Each row once. */
export function sumUp(rows: Iterable<Measure>): Measure[] {
  const sums = new Map<string, Measure>();
  for (const row of rows) addTo(sums, row);
  return [...sums.values()];
}

export function addTo(sums: Map<string, Measure>, row: Measure): void {
  const name = nameOfMeasure(row);
  const known = sums.get(name);
  sums.set(name, known ? { ...known, count: known.count + row.count, micros: known.micros + row.micros } : row);
}
