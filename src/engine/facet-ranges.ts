/** The numbers of all hits, as far as their ranges need them. */
export interface RangeCounts {
  /** Numbers below the first edge, from each edge up to the next, and from the last one. */
  sizes: readonly number[];
  lowest: number;
  highest: number;
  /** False where any of them has fractions of a hundredth. */
  inCents: boolean;
}

/** Bounds are inclusive. */
export interface FacetRange {
  min: number;
  max: number;
  size: number;
}

/** Which of `RangeCounts.sizes` a number counts for. */
export function edgeBin(edges: readonly number[], value: number): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const isInCents = (price: number): boolean => Math.abs(price * 100 - Math.round(price * 100)) < 1e-6;

/** From the lowest to the highest number, rounded outwards to whole units; null: there are none. */
export function wholeRange({ sizes, lowest, highest }: RangeCounts): FacetRange | null {
  const size = sizes.reduce((sum, one) => sum + one, 0);
  return size === 0 ? null : { min: Math.floor(lowest), max: Math.ceil(highest), size };
}
