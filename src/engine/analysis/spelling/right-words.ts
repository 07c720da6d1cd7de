import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../storage/threads';
import { primaryLanguage } from '../stems';
import { WordSet } from './word-set';

/** Languages with a dictionary: the package of it that the build makes a word set of. */
export const dictionaries = { pt: 'dictionary-pt', en: 'dictionary-en', es: 'dictionary-es' } as const;

/** Where the build puts the word set of a language. */
export const wordSetPath = (language: string): string => join(projectRoot, 'dist', 'dictionaries', `${language}.words`);

const loaded = new Map<string, WordSet>();

/** The words of a language, read when they are first needed; null where there is no dictionary. */
function wordsOf(language: string): WordSet | null {
  const primary = primaryLanguage(language);
  if (!Object.hasOwn(dictionaries, primary)) return null;
  let words = loaded.get(primary);
  if (!words) {
    const path = wordSetPath(primary);
    if (!existsSync(path)) throw new Error(`${path} is missing: run "npm run build" first`);
    loaded.set(primary, (words = WordSet.of(readFileSync(path))));
  }
  return words;
}

/** Whether a normalised word is a word of the language, spelled right: then it is never taken for another one. */
export function isRightWord(word: string, language: string): boolean {
  return wordsOf(language)?.has(word) ?? false;
}
