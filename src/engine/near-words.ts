import { forgivenEdits } from './analysis/edit-distance';
import type { NearWord } from './search-engine';

/** Near words answered at most. */
const MOST_NEAR = 8;

/** Whether typing mistakes are forgiven in a word, and whether it may be what was meant: short words and numbers may be anything. */
export const isCorrectable = (word: string): boolean => forgivenEdits(word) > 0 && !/\d/.test(word);

/** The nearest of the words that occur at all, the more frequent before. */
export function nearestWords(found: readonly NearWord[]): NearWord[] {
  const known = found.filter(({ documents }) => documents > 0);
  known.sort((a, b) => a.distance - b.distance || b.documents - a.documents || (a.word < b.word ? -1 : 1));
  return known.slice(0, MOST_NEAR);
}
