import { isInCents, type PriceCounts, priceBin, priceEdges, priceRanges } from './price-ranges';

function countsOf(prices: readonly number[]): PriceCounts {
  const sizes = Array.from({ length: priceEdges.length + 1 }, () => 0);
  for (const price of prices) sizes[priceBin(price)] = (sizes[priceBin(price)] ?? 0) + 1;
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

  it.each([[0.001], [5e8], [-3]])('holds a price of %d', (price) => {
    const ranges = priceRanges(countsOf([price, 10, 20, 30]));
    const own = ranges.find(({ min, max }) => min <= price && price <= max);
    expect(own).toBeDefined();
    expect(ranges.reduce((sum, { size }) => sum + size, 0)).toBe(4);
  });
});
