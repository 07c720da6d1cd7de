import { figure, ndcg } from './ndcg';

describe('nDCG@10', () => {
  it('is 1 when everything relevant comes first', () => {
    expect(ndcg(['a', 'b', 'c'], new Set(['b', 'a']))).toBeCloseTo(1, 12);
  });

  it('discounts a position by the logarithm of its number plus one', () => {
    expect(ndcg(['x', 'x2', 'a'], new Set(['a']))).toBeCloseTo(1 / 2, 12);
  });

  it('looks at ten positions, and expects no more than ten to be filled', () => {
    const ids = Array.from({ length: 12 }, (_, index) => `p${index}`);
    expect(ndcg(ids, new Set(ids))).toBeCloseTo(1, 12);
    expect(ndcg(ids, new Set(['p10']))).toBe(0);
  });

  it('says nothing where nothing is relevant', () => {
    expect(ndcg(['a'], new Set())).toBeNull();
  });
});

describe('a figure', () => {
  it('is the mean over tasks, within an interval by user', () => {
    const values = Array.from({ length: 200 }, (_, task) => ({ userId: `u${task % 40}`, value: (task % 40) / 40 }));
    const { mean, low, high, tasks } = figure(values);
    expect(tasks).toBe(200);
    expect(mean).toBeCloseTo(39 / 80, 12);
    expect(low).toBeGreaterThan(mean - 0.15);
    expect(low).toBeLessThan(mean - 0.05);
    expect(high).toBeGreaterThan(mean + 0.05);
    expect(high).toBeLessThan(mean + 0.15);
  });

  it('knows that many tasks of one user are one user’s', () => {
    const values = Array.from({ length: 100 }, (_, task) => ({
      userId: task < 50 ? 'a' : 'b',
      value: task < 50 ? 0 : 1,
    }));
    expect(figure(values)).toEqual({ mean: 0.5, low: 0, high: 1, tasks: 100 });
  });
});
