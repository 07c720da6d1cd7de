import { isSettled, isWorthLearning } from './learning-on-catalog';

const MINUTE = 60_000;

describe('when a catalog is learned', () => {
  it.each([
    ['a feed that goes on', { first: 0, last: 9000 }, 10_000, false],
    ['one that has been quiet', { first: 0, last: 4000 }, 10_000, true],
    ['one that has gone on for a minute', { first: 0, last: 59_000 }, MINUTE, true],
    ['one before a clock was set back', { first: 10_000, last: 10_000 }, 5000, true],
  ])('%s', (_, times, now, settled) => {
    expect(isSettled({ count: 1, ...times }, now)).toBe(settled);
  });

  it.each([
    ['nothing was learned yet: one product', 1, null, true],
    ['few products of few', 19, { products: 30, learnedAt: 0 }, false],
    ['many of few', 20, { products: 30, learnedAt: 0 }, true],
    ['less than a tenth of many', 999, { products: 10_000, learnedAt: 0 }, false],
    ['a tenth of many', 1000, { products: 10_000, learnedAt: 0 }, true],
    ['a tenth, a moment after the last model', 1000, { products: 10_000, learnedAt: 5 * MINUTE }, false],
  ])('%s', (_, count, model, worth) => {
    expect(isWorthLearning({ count }, model, 10 * MINUTE)).toBe(worth);
  });

  it('is not asked for again while the first model is on its way, nor waited for for ever', () => {
    const asked = 10 * MINUTE;
    expect(isWorthLearning({ count: 1, asked }, null, asked + MINUTE)).toBe(false);
    expect(isWorthLearning({ count: 1, asked }, null, asked + 10 * MINUTE)).toBe(true);
    expect(isWorthLearning({ count: 1, asked }, null, asked - MINUTE)).toBe(true);
    expect(isWorthLearning({ count: 20, asked }, { products: 30, learnedAt: 0 }, asked)).toBe(true);
  });
});
