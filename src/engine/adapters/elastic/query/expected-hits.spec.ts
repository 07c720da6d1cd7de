import { textNumbers } from '../../../../../test/builders/text-numbers';
import { aPlan } from '../../../../../test/builders/an-engine-document';
import type { QueryPlan } from '../../../plan/query-plan';
import { canMatch, expectedHits, expectedMatches, expectedToCount } from './expected-hits';

const numbers = textNumbers(
  { name: { documents: 1000, averageLength: 4 }, description: { documents: 900, averageLength: 20 } },
  {
    wred: [500, 0, 0, 0, 0, 0],
    sred: [500, 0, 0, 0, 0, 0],
    wbag: [200, 0, 0, 0, 0, 0],
    wsoft: [500, 0, 0, 0, 0, 500],
  },
);

function matching(words: string[], minimumSome = 1): QueryPlan['match'] {
  const terms = words.map((word) => ({
    word,
    variants: [
      { token: word, kind: 'typed' as const, weight: 1 },
      { token: word, kind: 'stem' as const, weight: 0.9 },
    ],
    weight: 1,
  }));
  return { kind: 'terms', terms, exact: words.join(' '), someBelow: 10, minimumSome };
}

const planOf = (words: string[]): QueryPlan => aPlan({ match: matching(words) });

describe('what a plan is expected to find', () => {
  it('is what the most frequent variant of a word has, in any field', () => {
    expect(expectedMatches({ plan: planOf(['red']), numbers }, 1)).toBeCloseTo(500);
    expect(expectedMatches({ plan: planOf(['soft']), numbers }, 1)).toBeCloseTo(750);
  });

  it('takes words as if none had to do with another', () => {
    expect(expectedMatches({ plan: planOf(['red', 'bag']), numbers }, 2)).toBeCloseTo(100);
    expect(expectedMatches({ plan: planOf(['red', 'bag']), numbers }, 1)).toBeCloseTo(600);
    // 0.5 × 0.2 × 0.25 + 0.5 × 0.8 × 0.75 + 0.5 × 0.2 × 0.75 + 0.5 × 0.2 × 0.75
    expect(expectedMatches({ plan: planOf(['red', 'bag', 'soft']), numbers }, 2)).toBeCloseTo(475);
  });

  it('is nothing for all of the words where one is unknown, and what the others have for some', () => {
    const plan = planOf(['red', 'unheard']);
    expect(canMatch({ plan, numbers }, 2)).toBe(false);
    expect(canMatch({ plan, numbers }, 1)).toBe(true);
    expect(canMatch({ plan: planOf(['red', 'bag']), numbers }, 2)).toBe(true);
    expect(expectedHits({ plan, numbers, least: 2 })).toBe(0);
    expect(expectedHits({ plan, numbers, least: 1 })).toBeCloseTo(500);
  });

  it('is a tenth of it for each filter, and of all documents where nothing is searched for', () => {
    const filters: QueryPlan['filters'] = [
      { kind: 'brand', keys: ['acme'] },
      { kind: 'price', ranges: [{ min: 1, max: null }] },
    ];
    expect(expectedHits({ plan: aPlan({ match: matching(['red']), filters }), numbers, least: 1 })).toBeCloseTo(5);
    expect(expectedHits({ plan: aPlan({ match: { kind: 'all' } }), numbers, least: 1 })).toBe(1000);
    // A facet's own filter does not narrow it.
    expect(expectedToCount({ plan: aPlan({ match: matching(['red']), filters }), numbers, least: 1 })).toBeCloseTo(50);
    expect(expectedToCount({ plan: aPlan({ match: matching(['red']) }), numbers, least: 1 })).toBeCloseTo(500);
    expect(
      expectedHits({ plan: aPlan({ match: { kind: 'all' }, filters: filters.slice(0, 1) }), numbers, least: 1 }),
    ).toBeCloseTo(100);
  });

  it('is at most as many as there are ids', () => {
    expect(expectedHits({ plan: aPlan({ match: { kind: 'ids', ids: ['a', 'b'] } }), numbers, least: 1 })).toBe(2);
  });
});
