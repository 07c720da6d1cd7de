import { LONGEST_WORD } from './tokens';
import { unlikelihood } from './typing-cost';

/** Typing mistakes forgiven in a word: none up to 2 letters, 1 up to 5, else 2. */
export function forgivenEdits(word: string): number {
  return word.length <= 2 ? 0 : word.length <= 5 ? 1 : 2;
}

/** Near words answered at most. */
const MOST_NEAR = 8;

/** Whether a word can be corrected, or be a correction: not short words and numbers, nor what is longer than any word of an index. */
export const isCorrectable = (word: string): boolean =>
  forgivenEdits(word) > 0 && word.length <= LONGEST_WORD && !/\d/.test(word);

interface Near {
  word: string;
  distance: number;
  /** What typing the word wrongly costs (`typingCost`). */
  cost: number;
  documents: number;
}

/** Those of the words that occur in any product which were most likely meant, the likeliest first. */
export function nearestWords<W extends Near>(found: readonly W[]): W[] {
  const known = found.filter(({ documents }) => documents > 0);
  known.sort(
    (a, b) => unlikelihood(a.cost, a.documents) - unlikelihood(b.cost, b.documents) || (a.word < b.word ? -1 : 1),
  );
  return known.slice(0, MOST_NEAR);
}

/**
 * The same, where counting products is the costly part. `most`: as many products as a word can have. Only words that may be among
 * the nearest are counted.
 */
export function nearestCounted<C extends Omit<Near, 'documents'> & { most: number }>(
  found: readonly C[],
  count: (candidate: C) => number,
): Near[] {
  let nearest: Near[] = [];
  const atBest = ({ cost, most }: C): number => unlikelihood(cost, most);
  for (const candidate of [...found].sort((a, b) => atBest(a) - atBest(b))) {
    const { word, distance, cost } = candidate;
    const last = nearest[MOST_NEAR - 1];
    if (last && unlikelihood(last.cost, last.documents) < atBest(candidate)) break;
    nearest = nearestWords([...nearest, { word, distance, cost, documents: count(candidate) }]);
  }
  return nearest;
}
