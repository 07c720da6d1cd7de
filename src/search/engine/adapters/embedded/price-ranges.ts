/** Prices looked at to choose the edges: enough for quintiles. */
const SAMPLE = 1000;
const PARTS = 5;
const NICE = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

export interface PriceRange {
  min: number;
  max: number;
  size: number;
}

function magnitude(value: number): number {
  return 10 ** Math.floor(Math.log10(value));
}

/** The round number nearest to a positive value. */
function round(value: number): number {
  const unit = magnitude(value);
  const part = value / unit;
  const nearest = NICE.reduce((best, nice) => (Math.abs(nice - part) < Math.abs(best - part) ? nice : best), 1);
  return Number((nearest * unit).toPrecision(3));
}

function roundUp(value: number): number {
  const unit = magnitude(value);
  const above = NICE.find((nice) => nice * unit >= value) ?? 10;
  return Math.max(value, Number((above * unit).toPrecision(3)));
}

/** In order. */
function sampleOf(prices: Float64Array): Float64Array {
  const step = Math.max(1, Math.floor(prices.length / SAMPLE));
  return Float64Array.from({ length: Math.ceil(prices.length / step) }, (_, place) => prices[place * step] ?? 0).sort();
}

const inCents = (price: number): boolean => Math.abs(price * 100 - Math.round(price * 100)) < 1e-6;

/** Round edges near the quintiles, so that a range is neither empty nor everything. */
function edges(sample: Float64Array): number[] {
  const found = new Set<number>();
  for (let part = 1; part < PARTS; part++) {
    const price = sample[Math.floor((sample.length * part) / PARTS)] ?? 0;
    if (price > 0) found.add(round(price));
  }
  return [...found].sort((one, other) => one - other);
}

/**
 * Ranges over all prices, each with the number of prices in it. Bounds of filters are inclusive, so a range ends one smallest
 * coin below the next: no product is in two.
 */
export function priceRanges(prices: Float64Array): PriceRange[] {
  if (prices.length === 0) return [];
  let [lowest, highest] = [prices[0] ?? 0, prices[0] ?? 0];
  for (let at = 0; at < prices.length; at++) {
    const price = prices[at]!;
    if (price < lowest) lowest = price;
    if (price > highest) highest = price;
  }
  const sample = sampleOf(prices);
  const coin = sample.every(inCents) ? 0.01 : 0.0001;
  const inner = edges(sample).filter((edge) => edge > lowest && edge <= highest);
  const starts = [Math.min(0, lowest), ...inner];
  const ranges = starts.map((min, place) => {
    const next = starts[place + 1];
    const max = next === undefined ? roundUp(Math.max(highest, coin)) : Number((next - coin).toFixed(4));
    return { min, max };
  });
  const sizes = new Uint32Array(ranges.length);
  for (let at = 0; at < prices.length; at++) {
    let place = ranges.length - 1;
    while (place > 0 && prices[at]! < starts[place]!) place--;
    sizes[place]!++;
  }
  return ranges.map((range, place) => ({ ...range, size: sizes[place] ?? 0 })).filter(({ size }) => size > 0);
}
