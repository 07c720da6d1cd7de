import { editDistance } from '../../shared/edit-distance';
import { forgivenEdits } from './edit-distance';

/** How a word that is still being typed is completed: rules that every engine follows. */

/** Words that stand for a beginning at most. */
export const MOST_COMPLETIONS = 12;
/** Enough documents for a beginning: rarer words are left out once more frequent ones are in so many, so that one letter does not search half of a store. */
const ENOUGH_DOCUMENTS = 2000;
/** Nobody types more of a word before looking up; a longer one is corrected as a whole. */
const LONGEST_FORGIVEN = 15;

/** Whether a beginning may hold a typing mistake: one is forgiven from three letters on, and none in numbers. */
export const forgivesBeginning = (beginning: string): boolean =>
  forgivenEdits(beginning) > 0 && beginning.length <= LONGEST_FORGIVEN && !/\d/.test(beginning);

/** Whether a word would begin so but for one typing mistake behind the first letter. */
export function beginsNear(word: string, beginning: string): boolean {
  if (word.charCodeAt(0) !== beginning.charCodeAt(0)) return false;
  const { length } = beginning;
  return [length - 1, length, length + 1].some(
    (end) => end <= word.length && editDistance(word.slice(0, end), beginning, 1) <= 1,
  );
}

/** The same as a regular expression over whole words, in what Lucene and JavaScript have in common. */
export function nearPattern(beginning: string): string {
  const letters = [...beginning];
  const from = (index: number): string => letters.slice(index).join('');
  const near = (index: number): string => {
    const [letter = '', next = ''] = letters.slice(index, index + 2);
    // Whatever stands for the last letter, the word goes on behind it.
    if (index >= letters.length - 1) return '';
    const swapped = `${next}${letter}${from(index + 2)}`;
    return `(${letter}${near(index + 1)}|.${from(index + 1)}|.${from(index)}|${from(index + 1)}|${swapped})`;
  };
  return `${letters[0] ?? ''}${near(1)}.*`;
}

interface Counted {
  word: string;
  documents: number;
}

/** The most frequent first, ties by name; as many as are needed. */
export function mostFrequentWords<W extends Counted>(found: readonly W[]): W[] {
  const known = found.filter(({ documents }) => documents > 0);
  known.sort((a, b) => b.documents - a.documents || (a.word < b.word ? -1 : 1));
  let documents = 0;
  return known.slice(0, MOST_COMPLETIONS).filter((word) => {
    const isNeeded = documents < ENOUGH_DOCUMENTS;
    documents += word.documents;
    return isNeeded;
  });
}

/** Whether words that are in no more than so many documents change nothing about which of these are the most frequent. */
export function areSettled(found: readonly Counted[], most: number): boolean {
  const above = found.filter(({ documents }) => documents > most);
  const documents = above.reduce((sum, word) => sum + word.documents, 0);
  return above.length >= MOST_COMPLETIONS || documents >= ENOUGH_DOCUMENTS;
}
