import type { PlanTerm, QueryPlan, TermVariant, WordChange } from './query-plan';

/**
 * In which other way than as typed a product matches the words of a query: by what they are written as one, by what the last one may be the
 * beginning of, or not at all. `has`: whether a variant is in a searched field of the product. Synonyms are told apart (matchedSynonyms).
 */
export function matchedChanges(
  { match }: Pick<QueryPlan, 'match'>,
  has: (variant: TermVariant) => boolean,
): WordChange[] {
  if (match.kind !== 'terms') return [];
  const found = match.terms.map((term) => ({ term, variants: term.variants.filter(has) }));
  const matched = new Set(found.flatMap(({ term, variants }) => (variants.length > 0 ? term.word : [])));
  const changes: WordChange[] = [];
  for (const { term, variants } of found) {
    const change = variants.length > 0 ? changeOf(term, variants) : null;
    const last = changes.at(-1);
    // `note` and `book` are both found by `notebook`; a word that phrases stand for is several terms.
    if (change?.kind === 'compound' && last?.kind === 'compound' && last.as === change.as) {
      const words = last.word.split(' ');
      if (words.at(-1) !== change.word) words.push(change.word);
      changes[changes.length - 1] = { ...last, word: words.join(' ') };
    } else if (change) {
      changes.push(change);
    } else if (!matched.has(term.word)) {
      changes.push({ word: term.word, as: '', kind: 'omission' });
    }
  }
  return [...new Map(changes.map((change) => [`${change.kind} ${change.word}`, change])).values()];
}

/** Null: it is found as typed, by its stem, as a measure or by a synonym alone. */
function changeOf({ word }: PlanTerm, variants: readonly TermVariant[]): WordChange | null {
  const own = variants.filter(({ synonym }) => synonym === undefined).toSorted((a, b) => b.weight - a.weight);
  const [best] = own;
  if (!best || own.some(({ kind }) => kind === 'typed' || kind === 'stem')) return null;
  const { kind, token: as } = best;
  if (kind === 'compound') return as.length > word.length && as.includes(word) ? { word, as, kind } : null;
  if (kind === 'completion') return { word, as, kind: as.startsWith(word) ? kind : 'correction' };
  return null;
}
