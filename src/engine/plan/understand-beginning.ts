import { normaliseWhole } from '../analysis/normalise';
import { stemmerOf } from '../analysis/stems';
import { normaliseQuery, tokenise } from '../analysis/tokens';
import type { Completion } from '../search-engine';
import type { PlanTerm } from './query-plan';
import { type LookUp, understand, type Understood, variantWeights } from './understand';

export interface UnderstoodBeginning extends Understood {
  /** The queries that what was typed may become, the most frequent first. */
  completed: string[];
}

/** With any product that has every word, those that have some are left out: the next letter may change them all. */
const SOME_BELOW = 1;
/** No word of any length is being typed behind these. */
const WORD_IS_OVER = /[^\p{L}\p{N}\p{M}]$/u;

/**
 * What a shopper has typed so far -> a search: the last word stands for itself and for the words it may be the beginning of, those before
 * it are understood as in any search. A last word that begins nothing is corrected like the others.
 */
export async function understandBeginning(
  query: { terms: string; language: string },
  lookUp: LookUp,
): Promise<UnderstoodBeginning> {
  const { words } = tokenise(query.terms);
  const last = words.at(-1);
  const whole = async (): Promise<UnderstoodBeginning> => ({ ...(await understand(query, lookUp)), completed: [] });
  if (last === undefined || WORD_IS_OVER.test(query.terms)) return whole();
  const before = words.slice(0, -1).join(' ');
  const stem = stemmerOf(query.language);
  const [known, [answer]] = await Promise.all([
    before === '' ? null : understand({ ...query, terms: before }, lookUp),
    lookUp([{ word: last, stem: stem(last), correct: false, complete: true }]),
  ]);
  const completions = answer?.completions ?? [];
  if (completions.length === 0 && !answer?.documents) return whole();
  const term: PlanTerm = {
    word: last,
    weight: Math.max(1, ...(known?.match.terms ?? []).map(({ weight }) => weight)),
    variants: [
      { token: last, kind: 'typed', weight: variantWeights.typed },
      { token: stem(last), kind: 'stem', weight: variantWeights.stem },
      ...completions.filter(({ word }) => word !== last).map(variantOf(completions)),
    ],
  };
  return withTerm(query.terms, term, { known, last, completions });
}

/** Rare words weigh no more than the most frequent one: nobody has asked for them yet. */
function variantOf(completions: readonly Completion[]): (completion: Completion) => PlanTerm['variants'][number] {
  const least = Math.min(...completions.map(({ rarity }) => rarity));
  return ({ word, distance, rarity }) => {
    const even = rarity > 0 ? Math.min(1, least / rarity) : 1;
    const weight = variantWeights.completion * (distance > 0 ? variantWeights.typo : 1) * even;
    return { token: word, kind: 'completion', weight };
  };
}

function withTerm(
  typed: string,
  term: PlanTerm,
  { known, last, completions }: { known: Understood | null; last: string; completions: readonly Completion[] },
): UnderstoodBeginning {
  const terms = [...(known?.match.terms ?? []), term];
  const normalized = normaliseWhole(typed);
  const written = normaliseQuery(typed);
  const isApart = written.endsWith(` ${last}`);
  const whole = isApart ? written : normalized;
  const start = known?.corrected ? known.processed : whole.slice(0, whole.length - last.length).trim();
  const queryOf = (word: string): string => (start === '' ? word : `${start} ${word}`);
  const processed = known?.corrected ? queryOf(last) : written;
  return {
    match: {
      kind: 'terms',
      terms,
      exact: normaliseWhole(processed),
      someBelow: SOME_BELOW,
      minimumSome: Math.max(1, Math.ceil(terms.length / 2)),
    },
    normalized,
    processed,
    corrected: known?.corrected ?? false,
    changes: known?.changes ?? [],
    suggestions: [],
    words: [...new Set([...(known?.words ?? []), last])],
    completed: completions.map(({ word }) => queryOf(word)),
  };
}
