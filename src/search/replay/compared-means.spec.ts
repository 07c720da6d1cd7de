import { compareMeans } from './compared-means';

describe('two weighted means, by shopper', () => {
  test('worked by hand', () => {
    const shoppers = [
      { weight: 1, current: 0.5, candidate: 1 },
      { weight: 3, current: 1.5, candidate: 1.5 },
    ];
    const { current, candidate, difference, interval } = compareMeans(shoppers);
    expect([current, candidate, difference]).toEqual([0.5, 0.625, 0.125]);
    // Residuals 0.375 and -0.375: sqrt(2/1 * 0.28125) / 4 = 0.1875.
    expect(interval?.low).toBeCloseTo(0.125 - 1.96 * 0.1875, 12);
    expect(interval?.high).toBeCloseTo(0.125 + 1.96 * 0.1875, 12);
  });

  test('of one shopper there is no interval, of none no difference', () => {
    expect(compareMeans([{ weight: 2, current: 1, candidate: 2 }])).toMatchObject({ difference: 0.5, interval: null });
    expect(compareMeans([])).toEqual({ current: 0, candidate: 0, difference: 0, interval: null });
  });
});
