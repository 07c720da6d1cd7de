/** The number of entries of one measure on one day, and their money. */
export interface Rollup {
  campaign: string;
  product: string;
  placement: string;
  day: string;
  /**
   * `click/<verdict>` (`click/invalid/<reason>`), `view/<verdict>`, `order/valid`, `order/unverified` (also counted as valid),
   * `order/currency`; `click/unrated` and `view/unrated` (also counted as valid): not counted for click rates.
   */
  measure: string;
  count: number;
  /** Clicks: what was billed, or credited where they are invalid; orders: revenue. */
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
