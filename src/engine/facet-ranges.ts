import { STEPS } from './range-edges';

const PARTS = 5;
const COIN = 0.01;
const FINE_COIN = 0.0001;

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

/**
 * Ranges over all numbers, each with how many are in it: their bounds are the edges nearest to the quintiles, so that a
 * range is neither empty nor everything. Bounds of filters are inclusive, so a range ends one smallest coin below the
 * next: no product is in two.
 */
export function quintileRanges(
  { sizes, lowest, highest, inCents }: RangeCounts,
  edges: readonly number[],
): FacetRange[] {
  const coin = inCents ? COIN : FINE_COIN;
  const edge = (index: number): number => edges[index] ?? Number.POSITIVE_INFINITY;
  const inner = quintileEdges(sizes, edges.length).filter((index) => edge(index) > lowest && edge(index) <= highest);
  const starts = [0, ...inner.map((index) => index + 1)];
  const ranges = starts.map((start, part): FacetRange => {
    const next = starts[part + 1];
    return {
      min: start === 0 ? Math.min(0, lowest) : edge(start - 1),
      max: next === undefined ? roundUp(Math.max(highest, coin)) : Number((edge(next - 1) - coin).toFixed(4)),
      size: sizes.slice(start, next).reduce((sum, size) => sum + size, 0),
    };
  });
  return ranges.filter(({ size }) => size > 0);
}

/** The edges nearest to the quintiles, by how many numbers are between; each once, in order. */
function quintileEdges(sizes: readonly number[], edges: number): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const found = new Set<number>();
  let bin = 0;
  let below = 0;
  for (let part = 1; part < PARTS; part++) {
    const rank = Math.floor((total * part) / PARTS);
    while (bin < sizes.length - 1 && below + (sizes[bin] ?? 0) <= rank) below += sizes[bin++] ?? 0;
    const above = below + (sizes[bin] ?? 0);
    const index = rank - below <= above - rank ? bin - 1 : bin;
    if (index >= 0 && index < edges) found.add(index);
  }
  return [...found];
}

/** The end of the last range: round, too, and no number is above it. */
function roundUp(number: number): number {
  const unit = 10 ** Math.floor(Math.log10(number));
  const above = [...STEPS, 10].find((step) => step * unit >= number) ?? 10;
  return Math.max(number, Number((above * unit).toPrecision(3)));
}
