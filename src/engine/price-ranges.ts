const PARTS = 5;
/** Enough steps that a round price is near every quintile, and few enough that an engine can count them all. */
const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
const DECADES = Array.from({ length: 10 }, (_, index) => index - 2);
const COIN = 0.01;
const FINE_COIN = 0.0001;

/** Round prices from a cent to 80 million, in order: where ranges may begin. */
export const priceEdges: readonly number[] = DECADES.flatMap((power) =>
  STEPS.map((step) => Number((step * 10 ** power).toPrecision(3))),
);

/** The prices of all hits, as far as their ranges need them. */
export interface PriceCounts {
  /** Prices below the first edge, from each edge up to the next, and from the last one. */
  sizes: readonly number[];
  lowest: number;
  highest: number;
  /** False where any of them has fractions of a cent. */
  inCents: boolean;
}

export interface PriceRange {
  min: number;
  max: number;
  size: number;
}

/** Which of `PriceCounts.sizes` a price counts for. */
export function priceBin(price: number): number {
  let [low, high] = [0, priceEdges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((priceEdges[middle] ?? 0) <= price) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const isInCents = (price: number): boolean => Math.abs(price * 100 - Math.round(price * 100)) < 1e-6;

/**
 * Ranges over all prices, each with the number of prices in it: their bounds are the edges nearest to the quintiles, so that a
 * range is neither empty nor everything. Bounds of filters are inclusive, so a range ends one smallest coin below the
 * next: no product is in two.
 */
export function priceRanges({ sizes, lowest, highest, inCents }: PriceCounts): PriceRange[] {
  const coin = inCents ? COIN : FINE_COIN;
  const inner = quintileEdges(sizes).filter((index) => edge(index) > lowest && edge(index) <= highest);
  const starts = [0, ...inner.map((index) => index + 1)];
  const ranges = starts.map((start, part): PriceRange => {
    const next = starts[part + 1];
    return {
      min: start === 0 ? Math.min(0, lowest) : edge(start - 1),
      max: next === undefined ? roundUp(Math.max(highest, coin)) : Number((edge(next - 1) - coin).toFixed(4)),
      size: sizes.slice(start, next).reduce((sum, size) => sum + size, 0),
    };
  });
  return ranges.filter(({ size }) => size > 0);
}

const edge = (index: number): number => priceEdges[index] ?? Number.POSITIVE_INFINITY;

/** The edges nearest to the quintiles, by the number of prices between; each once, in order. */
function quintileEdges(sizes: readonly number[]): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const found = new Set<number>();
  let bin = 0;
  let below = 0;
  for (let part = 1; part < PARTS; part++) {
    const rank = Math.floor((total * part) / PARTS);
    while (bin < sizes.length - 1 && below + (sizes[bin] ?? 0) <= rank) below += sizes[bin++] ?? 0;
    const above = below + (sizes[bin] ?? 0);
    const index = rank - below <= above - rank ? bin - 1 : bin;
    if (index >= 0 && index < priceEdges.length) found.add(index);
  }
  return [...found];
}

/** The end of the last range: round, too, and no price is above it. */
function roundUp(price: number): number {
  const unit = 10 ** Math.floor(Math.log10(price));
  const above = [...STEPS, 10].find((step) => step * unit >= price) ?? 10;
  return Math.max(price, Number((above * unit).toPrecision(3)));
}
