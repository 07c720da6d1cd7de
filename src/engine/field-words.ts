import { subjectOf } from './analysis/subject';
import { otherSpellings, tokenise } from './analysis/tokens';
import { type TextField, textFields } from '../ranking/template/text-fields';
import type { EngineDocument } from './search-engine';

/** Only so many words of a field are indexed: longer descriptions say nothing new. */
const MOST_WORDS = 400;
/** The length of a field counts up to here. */
export const LONGEST_FIELD = 255;

/** The fields of a word as bits, in the order of `textFields`. */
export type FieldMask = number;

/** Fields whose words complete what is being typed: descriptions and codes would offer what nobody looks for. */
const COMPLETED: readonly TextField[] = ['name', 'brand', 'categories', 'tags'];
export const completedFields: FieldMask = COMPLETED.reduce((mask, field) => mask | (1 << textFields.indexOf(field)), 0);

export interface FieldWords {
  /** Words per field, in the order of `textFields`. */
  lengths: number[];
  /** Normalised words, compounds written as one and measures among them, and the fields they are in. */
  words: Map<string, FieldMask>;
}

/** Tokens of an index: prefixed, so that a word is never taken for another one's stem. */
export const wordToken = (word: string): string => `w${word}`;
export const stemToken = (stem: string): string => `s${stem}`;
export const subjectToken = (stem: string): string => `N${stem}`;
export const asideToken = (stem: string): string => `A${stem}`;
export const categoryToken = (key: string): string => `C${key}`;

/** What a document is, and what its name only says aside: hints of its name, no words of it. */
export function subjectHints({ text, categories }: EngineDocument, language: string): string[] {
  const { named, aside, ...own } = subjectOf({ name: text.name, categories }, language);
  return [...named.map(subjectToken), ...aside.map(asideToken), ...own.categories.map(categoryToken)];
}

/** What every engine indexes of a document's text. */
export function fieldWords(text: EngineDocument['text']): FieldWords {
  const words = new Map<string, FieldMask>();
  const lengths = textFields.map((field, index) => {
    const found = tokenise(text[field], MOST_WORDS);
    for (const word of found.words) words.set(word, (words.get(word) ?? 0) | (1 << index));
    const others = [...found.joined, ...(field === 'description' ? [] : otherSpellings(text[field]))];
    for (const word of others) words.set(word, (words.get(word) ?? 0) | (1 << index));
    return Math.min(LONGEST_FIELD, found.words.length);
  });
  return { lengths, words };
}
