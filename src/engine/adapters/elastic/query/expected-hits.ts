import type { PlanTerm } from '../../../plan/query-plan';
import { documentsOf } from '../../../../ranking/text';
import type { HitsRequest } from './search-bodies';
import { type TextNumbers, variantToken } from './text-query';

/** Estimates of what a plan will find, by how many documents have each token. */

type Guessed = Pick<HitsRequest, 'plan' | 'numbers'>;

/** What a filter is taken to leave; most leave less. */
const FILTER_SHARE = 0.1;

/** Hits, filters applied. */
export function expectedHits({ plan, numbers, least }: Guessed & Pick<HitsRequest, 'least'>): number {
  const left = FILTER_SHARE ** plan.filters.length;
  if (plan.match.kind === 'ids') return plan.match.ids.length;
  if (plan.match.kind === 'all') {
    const { products, within = [] } = plan.match;
    return (products?.length ?? documentsOf(numbers.fields)) * left * FILTER_SHARE ** within.length;
  }
  return expectedMatches({ plan, numbers }, least) * left;
}

/** Documents that facets are counted over, at the most: each passes every filter but the facet's own. */
export const expectedToCount = ({ plan, ...request }: Parameters<typeof expectedHits>[0]): number =>
  expectedHits({ ...request, plan: { ...plan, filters: plan.filters.slice(1) } });

/** Documents that match at least so many of the terms, as if terms were independent. */
export function expectedMatches({ plan, numbers }: Guessed, least: number): number {
  if (plan.match.kind !== 'terms') return documentsOf(numbers.fields);
  // By how many terms match: the share of the documents.
  let shares = [1];
  for (const term of plan.match.terms) {
    const share = termShare(term, numbers);
    shares = [...shares, 0].map((own, count) => own * (1 - share) + (shares[count - 1] ?? 0) * share);
  }
  return documentsOf(numbers.fields) * shares.slice(least).reduce((sum, share) => sum + share, 0);
}

/** False where no document can match so many of the terms. */
export function canMatch({ plan, numbers }: Guessed, least: number): boolean {
  if (plan.match.kind !== 'terms') return true;
  return plan.match.terms.filter((term) => termShare(term, numbers) > 0).length >= least;
}

/** The share of a term's most frequent variant: a word's documents are among its stem's. */
function termShare({ variants }: PlanTerm, numbers: TextNumbers): number {
  return Math.max(0, ...variants.map((variant) => tokenShare(variantToken(variant), numbers)));
}

/** The share of documents that have the token in any field, as if fields were independent. */
function tokenShare(token: string, numbers: TextNumbers): number {
  const documents = Math.max(1, documentsOf(numbers.fields));
  const without = (numbers.frequencies.get(token) ?? []).map((frequency) => 1 - Math.min(1, frequency / documents));
  return 1 - without.reduce((product, share) => product * share, 1);
}
