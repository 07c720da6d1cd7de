/** The number of entries of one measure on one day, and their money. */
export interface Rollup {
  campaign: string;
  product: string;
  placement: string;
  day: string;
  /** `click/<verdict>`, `view/<verdict>`, `order/valid`, `order/unverified` (also counted as valid), `order/currency`. */
  measure: string;
  count: number;
  /** Clicks: what was billed; orders: revenue. */
  micros: number;
}

export function rollupKey({ campaign, product, placement, day, measure }: Rollup): string {
  return JSON.stringify([day, campaign, product, placement, measure]);
}

export function addTo(rollups: Map<string, Rollup>, row: Rollup): void {
  const name = rollupKey(row);
  const known = rollups.get(name);
  rollups.set(name, known ? { ...known, count: known.count + row.count, micros: known.micros + row.micros } : row);
}
