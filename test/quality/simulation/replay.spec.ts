import { REPLAYED_SHOP } from './replay-report';
import { kendallTau, simulateReplay } from './replay-simulation';

jest.setTimeout(180_000);

describe('a replay of made-up shoppers whose tastes are known', () => {
  test('orders five templates by their true value, though clicks are biased by position', async () => {
    const judged = await simulateReplay(REPLAYED_SHOP);
    const byTruth = judged.toSorted((a, b) => b.truth - a.truth);
    expect(byTruth.map(({ template }) => template)).toEqual(['whole', 'half', 'faint', 'nobody', 'bargains']);
    expect(kendallTau(judged)).toBe(1);
  });

  test('Kendall’s tau, worked by hand', () => {
    const judged = [3, 1, 2].map((replayed, index) => ({ template: `${index}`, truth: -index, replayed }));
    expect(kendallTau(judged)).toBeCloseTo(1 / 3, 12);
  });
});
