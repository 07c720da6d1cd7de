import { primaryLanguage } from '../analysis/stems';

/** Normalised words that say nothing about a product. Short on purpose: "the who" and "para" brands are searched, too. */
const STOP_WORDS: Readonly<Record<string, string>> = {
  pt: 'a o as os um uma uns umas de do da dos das e em no na nos nas com sem por para pra pelo pela pelos pelas ao aos que ou meu minha quero',
  es: 'el la los las un una unos unas de del y e en con sin por para al que o u quiero',
  en: 'a an the of and or for with without in on at to by from that my want',
};

const STOP_SETS = new Map(Object.entries(STOP_WORDS).map(([language, words]) => [language, new Set(words.split(' '))]));
const NONE: ReadonlySet<string> = new Set();

/** The filler words of a language: they count neither for finding nor for what is missing. */
export const stopWordsOf = (language: string): ReadonlySet<string> => STOP_SETS.get(primaryLanguage(language)) ?? NONE;

/** Whether a normalised query is filler words alone, which say nothing that another shopper may want. */
export function isFiller(query: string, language: string): boolean {
  const stopWords = stopWordsOf(language);
  return query.split(' ').every((word) => stopWords.has(word));
}
