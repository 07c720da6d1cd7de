import { edgeBin, isInCents, type RangeCounts, wholeRange } from './facet-ranges';
import { quintileRanges } from './quintile-ranges';
import { percentEdges, priceEdges } from './range-edges';

const priceRanges = (counts: RangeCounts) => quintileRanges(counts, priceEdges);

function countsOf(prices: readonly number[], edges = priceEdges): RangeCounts {
  const sizes = Array.from({ length: edges.length + 1 }, () => 0);
  for (const price of prices) sizes[edgeBin(edges, price)] = (sizes[edgeBin(edges, price)] ?? 0) + 1;
  return { sizes, lowest: Math.min(...prices), highest: Math.max(...prices), inCents: prices.every(isInCents) };
}

describe('price ranges', () => {
  it('has about as many prices in each, between round bounds that never meet', () => {
    const prices = Array.from({ length: 1000 }, (_, index) => index / 10 + 0.05);
    expect(priceRanges(countsOf(prices))).toEqual([
      { min: 0, max: 19.99, size: 200 },
      { min: 20, max: 39.99, size: 200 },
      { min: 40, max: 59.99, size: 200 },
      { min: 60, max: 79.99, size: 200 },
      { min: 80, max: 100, size: 200 },
    ]);
  });

  it('is one range where all cost the same, none where nothing is found', () => {
    expect(priceRanges(countsOf([100, 100]))).toEqual([{ min: 0, max: 100, size: 2 }]);
    expect(priceRanges(countsOf([0]))).toEqual([{ min: 0, max: 0.01, size: 1 }]);
    expect(priceRanges({ sizes: [], lowest: 0, highest: 0, inCents: true })).toEqual([]);
  });

  it('ends a range less than a cent below the next where prices are finer', () => {
    const ranges = priceRanges(countsOf([9.9995, 10.5, 11.2, 19, 25]));
    expect(ranges[0]).toEqual({ min: 0, max: 9.9999, size: 1 });
    expect(ranges.reduce((sum, { size }) => sum + size, 0)).toBe(5);
  });

  it('of discounts are round shares', () => {
    expect(quintileRanges(countsOf([5, 12, 18, 33.33, 85], percentEdges), percentEdges)).toEqual([
      { min: 0, max: 9.99, size: 1 },
      { min: 10, max: 14.99, size: 1 },
      { min: 15, max: 29.99, size: 1 },
      { min: 30, max: 79.99, size: 1 },
      { min: 80, max: 100, size: 1 },
    ]);
  });

  it('stand behind the whole one, whose bounds are rounded outwards', () => {
    expect(wholeRange(countsOf([9.9, 20.1]))).toEqual({ min: 9, max: 21, size: 2 });
    expect(wholeRange(countsOf([5]))).toEqual({ min: 5, max: 5, size: 1 });
    expect(wholeRange({ sizes: [0, 0], lowest: 0, highest: 0, inCents: true })).toBeNull();
  });

  it.each([[0.001], [5e8], [-3]])('holds a price of %d', (price) => {
    const ranges = priceRanges(countsOf([price, 10, 20, 30]));
    const own = ranges.find(({ min, max }) => min <= price && price <= max);
    expect(own).toBeDefined();
    expect(ranges.reduce((sum, { size }) => sum + size, 0)).toBe(4);
  });
});
