import type { QueryPlan } from '../../../plan/query-plan';
import { canMatch, expectedMatches } from './expected-hits';
import { type HitsRequest, termsOf } from './search-bodies';

/** Which products a search finds: those that match all terms, enough of them, or any. */
export type Level = 'all' | 'some' | 'any';

type Guessed = Pick<HitsRequest, 'plan' | 'numbers'>;

/** Terms that a product matches at a level. */
export function levelOf({ match }: QueryPlan, level: Level): number {
  if (match.kind !== 'terms') return 0;
  return { all: match.terms.length, some: Math.min(match.minimumSome, match.terms.length), any: 1 }[level];
}

/** The level that numbers of matching documents lead to; `matched`: by how many terms they match at least, as far as it is known. */
export function levelFor({ plan, numbers }: Guessed, matched: (least: number) => number | undefined): Level {
  const { match } = plan;
  if (match.kind !== 'terms' || match.terms.length < 2) return 'all';
  const matching = (least: number): number => (canMatch({ plan, numbers }, least) ? (matched(least) ?? Infinity) : 0);
  if (matching(match.terms.length) >= match.someBelow) return 'all';
  const some = levelOf(plan, 'some');
  return some === 1 || matching(some) > 0 ? 'some' : 'any';
}

/** A guess from how frequent the terms are. */
export function firstLevel(request: Guessed): Level {
  return levelFor(request, (least) => expectedMatches(request, least));
}

/** What has to be counted beside a level's own hits to tell whether it is the right one. */
export function countsToAsk(request: Guessed, level: Level): number[] {
  const { plan } = request;
  if (level === 'all') return [];
  const others = level === 'some' ? (['all'] as const) : (['all', 'some'] as const);
  const own = levelOf(plan, level);
  const counts = others.map((other) => levelOf(plan, other)).filter((least) => least !== own);
  return [...new Set(counts)].filter((least) => canMatch(request, least));
}

/** What has to be counted of a level itself where other products are found, too. */
export function ownCount(request: Guessed & Pick<HitsRequest, 'least'>): number[] {
  return termsOf(request.plan) > 1 && canMatch(request, request.least) ? [request.least] : [];
}
