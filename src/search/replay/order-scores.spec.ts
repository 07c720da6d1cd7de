import { ndcg, rankBiasedOverlap, reciprocalRank } from './order-scores';

describe('scores of an order', () => {
  const judged = new Map([
    ['a', 1],
    ['b', 3],
  ]);

  test('nDCG is 1 in the best order, and loses by the logarithm of the rank', () => {
    expect(ndcg(['b', 'a', 'c'], judged)).toBe(1);
    // (1 + 3/log2 3) / (3 + 1/log2 3)
    expect(ndcg(['a', 'b', 'c'], judged)).toBeCloseTo((1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)), 12);
    expect(ndcg(['c', 'd', 'a'], new Map([['a', 7]]))).toBeCloseTo(0.5, 12);
  });

  test('what stands behind the tenth place counts nothing for nDCG, and something for the reciprocal rank', () => {
    const order = [...'cdefghijkl', 'a'];
    expect(ndcg(order, judged)).toBe(0);
    expect(reciprocalRank(order, judged)).toBeCloseTo(1 / 11, 12);
    expect(reciprocalRank(['x'], judged)).toBe(0);
  });

  test('overlap: 1 for the same order, 0 for nothing in common, and a swap at the top costs the first depth', () => {
    expect(rankBiasedOverlap([...'abc'], [...'abc'])).toBe(1);
    expect(rankBiasedOverlap([...'abc'], [...'xyz'])).toBe(0);
    expect(rankBiasedOverlap([], [])).toBe(1);
    // Depths 1 and 2 share 0 of 1 and 2 of 2: 0.9 / 1.9.
    expect(rankBiasedOverlap(['a', 'b'], ['b', 'a'])).toBeCloseTo(0.9 / 1.9, 12);
    // Shares 1, 1/2, 2/3 with weights 1, 0.9, 0.81.
    expect(rankBiasedOverlap([...'abc'], [...'axb'])).toBeCloseTo((1 + 0.45 + 0.54) / 2.71, 12);
  });
});
