import { textNumbers } from '../../../../../test/builders/text-numbers';
import { aPlan } from '../../../../../test/builders/an-engine-document';
import type { QueryPlan } from '../../../plan/query-plan';
import { countsToAsk, firstLevel, levelFor, levelOf } from './levels';

const numbers = textNumbers(
  { name: { documents: 1000, averageLength: 4 } },
  Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((word) => [`w${word}`, [600, 0, 0, 0, 0, 0]])),
);

function planOf(words: string, someBelow = 10): QueryPlan {
  const terms = words.split(' ').map((word) => ({
    word,
    variants: [{ token: word, kind: 'typed' as const, weight: 1 }],
    weight: 1,
  }));
  return aPlan({ match: { kind: 'terms', terms, exact: '', someBelow, minimumSome: Math.ceil(terms.length / 2) } });
}

describe('which products are found', () => {
  it('is those that match all terms, where there are enough of them', () => {
    const request = { plan: planOf('a b c'), numbers };
    expect(levelFor(request, () => 10)).toBe('all');
    expect(levelFor(request, (least) => (least === 3 ? 9 : 20))).toBe('some');
    expect(levelFor({ ...request, plan: planOf('a') }, () => 0)).toBe('all');
  });

  it('is those that match any term only where nothing matches enough of them', () => {
    const request = { plan: planOf('a b c d e'), numbers };
    expect(levelFor(request, () => 0)).toBe('any');
    expect(levelFor(request, (least) => (least === 5 ? 0 : undefined))).toBe('some');
    expect(levelFor({ ...request, plan: planOf('a b') }, () => 0)).toBe('some');
    expect(levelOf(planOf('a b c d e'), 'some')).toBe(3);
    expect(levelOf(planOf('a b c d e'), 'any')).toBe(1);
  });

  it('is guessed from how frequent terms are, and counted beside what is found', () => {
    expect(firstLevel({ plan: planOf('a b'), numbers })).toBe('all');
    expect(firstLevel({ plan: planOf('a b x'), numbers })).toBe('some');
    expect(firstLevel({ plan: planOf('a x y z w'), numbers })).toBe('any');
    expect(countsToAsk({ plan: planOf('a b c d'), numbers }, 'all')).toEqual([]);
    expect(countsToAsk({ plan: planOf('a b c d'), numbers }, 'some')).toEqual([4]);
    expect(countsToAsk({ plan: planOf('a b c d e'), numbers }, 'any')).toEqual([5, 3]);
    expect(countsToAsk({ plan: planOf('a b c x'), numbers }, 'any')).toEqual([2]);
  });
});
