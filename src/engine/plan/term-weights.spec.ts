import { minimumSome, saying, termWeights } from './term-weights';

const word = (documents: number, isNumber = false) => ({ documents, of: 1000, isNumber });

describe('what the words of a query weigh', () => {
  it('is in proportion to how rare they are, in whole numbers from 1', () => {
    expect(termWeights([word(1), word(500), word(0)])).toEqual([7, 1, 1]);
    expect(termWeights([word(10), word(10)])).toEqual([4, 4]);
    expect(termWeights([word(0)])).toEqual([1]);
  });

  it('is half for a number, and nothing for what no product has', () => {
    expect(saying(word(10, true))).toBe(saying(word(10)) / 2);
    expect(saying(word(0))).toBe(0);
  });

  it('asks a partial match for half of the names that the store has, and for numbers only where there are no names', () => {
    expect(minimumSome([word(1), word(1), word(1), word(0)])).toBe(2);
    expect(minimumSome([word(1), word(1, true), word(1, true), word(1, true)])).toBe(1);
    expect(minimumSome([word(1, true), word(1, true), word(1, true)])).toBe(2);
    expect(minimumSome([word(0)])).toBe(1);
  });
});
