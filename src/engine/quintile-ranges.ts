import type { FacetRange, RangeCounts } from './facet-ranges';
import { STEPS } from './range-edges';

const PARTS = 5;
const COIN = 0.01;
const FINE_COIN = 0.0001;

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
