import type { QueryPlan, TermVariant } from './query-plan';

/** A term of the query, and the synonym that a product has instead of it. */
export interface MatchedSynonym {
  word: string;
  as: string;
}

/** The synonyms but for which a product would match fewer terms. `has`: whether a variant is in a searched field of the product. */
export function matchedSynonyms(
  { match }: Pick<QueryPlan, 'match'>,
  has: (variant: TermVariant) => boolean,
): MatchedSynonym[] {
  if (match.kind !== 'terms') return [];
  const found = match.terms.flatMap(({ word, variants }) => {
    const matching = variants.filter(has).map(({ synonym }) => synonym);
    return matching.includes(undefined) ? [] : matching.map((as = '') => ({ word, as }));
  });
  return [...new Map(found.map((one) => [`${one.word}\n${one.as}`, one])).values()];
}
