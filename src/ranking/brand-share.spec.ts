import { FIRST_PRODUCTS, limitBrands } from './brand-share';

const products = (text: string) =>
  text.split(' ').map((name) => ({ brand: name.startsWith('-') ? null : (name[0] ?? ''), tier: name.slice(1) }));
const many = (brand: string, count: number) => Array.from({ length: count }, () => ({ brand, tier: '' }));
const quarter = 0.25;

describe('a share of one brand', () => {
  it('lets others stand in front of what is too much, and keeps the order otherwise', () => {
    const order = limitBrands([...many('a', 30), ...many('b', 5), ...many('c', 30)], quarter);
    const taken = order.slice(0, FIRST_PRODUCTS);
    expect(taken).toEqual([0, 1, 2, 3, 4, 5, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 6, 7, 8, 9, 10, 11, 12]);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 65 }, (_, index) => index));
  });

  it('puts those that waited before all that come after the first ones', () => {
    const order = limitBrands(
      [...many('a', 10), ...many('b', 6), ...many('c', 6), ...many('d', 6), ...many('e', 6)],
      quarter,
    );
    expect(order.slice(0, 8)).toEqual([0, 1, 2, 3, 4, 5, 10, 11]);
    expect(order.slice(FIRST_PRODUCTS)).toEqual([6, 7, 8, 9, 28, 29, 30, 31, 32, 33]);
  });

  it('never mixes tiers', () => {
    expect(limitBrands(products('a1 a1 b1 a2 b2'), 0.05)).toEqual([0, 2, 1, 3, 4]);
  });

  it('moves no pin, and counts it', () => {
    expect(limitBrands(products('a a apin c d'), 1 / 24)).toEqual([3, 4, 2, 0, 1]);
    expect(limitBrands(products('a a bpin c'), 1 / 24)).toEqual([0, 3, 2, 1]);
  });

  it('never counts products without a brand', () => {
    expect(limitBrands(products('- - a - a'), 0.05)).toEqual([0, 1, 2, 3, 4]);
  });

  it('is of no effect as a whole, and with few products', () => {
    expect(limitBrands(many('a', 30), 1)).toEqual(Array.from({ length: 30 }, (_, index) => index));
    expect(limitBrands(products('a b a'), 0.5)).toEqual([0, 1, 2]);
    expect(limitBrands([], 0.5)).toEqual([]);
  });
});
