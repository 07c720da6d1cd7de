import { tokenise } from './analysis/tokens';
import { textFields } from '../ranking/text-fields';
import type { EngineDocument } from './search-engine';

/** Only so many words of a field are indexed: longer descriptions say nothing new. */
const MOST_WORDS = 400;
/** The length of a field counts up to here. */
export const LONGEST_FIELD = 255;

/** The fields of a word as bits, in the order of `textFields`. */
export type FieldMask = number;

export interface FieldWords {
  /** Words per field, in the order of `textFields`. */
  lengths: number[];
  /** Normalised words, compounds written as one among them, and the fields they are in. */
  words: Map<string, FieldMask>;
}

/** Tokens of an index: prefixed, so that a word is never taken for another one's stem. */
export const wordToken = (word: string): string => `w${word}`;
export const stemToken = (stem: string): string => `s${stem}`;

/** What every engine indexes of a document's text. */
export function fieldWords(text: EngineDocument['text']): FieldWords {
  const words = new Map<string, FieldMask>();
  const lengths = textFields.map((field, index) => {
    const found = tokenise(text[field], MOST_WORDS);
    for (const word of found.words) words.set(word, (words.get(word) ?? 0) | (1 << index));
    for (const word of found.joined) words.set(word, (words.get(word) ?? 0) | (1 << index));
    return Math.min(LONGEST_FIELD, found.words.length);
  });
  return { lengths, words };
}
