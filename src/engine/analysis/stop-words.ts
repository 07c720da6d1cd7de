import { primaryLanguage } from './stems';

/** Normalised words that say nothing about a product. Short on purpose: "the who" and "para" brands are searched, too. */
const STOP_WORDS: Readonly<Record<string, string>> = {
  pt: 'a o as os um uma uns umas de do da dos das e em no na nos nas com sem por para pra pelo pela ao aos que ou',
  es: 'el la los las un una unos unas de del y e en con sin por para al que o u',
  en: 'a an the of and or for with without in on at to by from',
};

const SETS = new Map(Object.entries(STOP_WORDS).map(([language, words]) => [language, new Set(words.split(' '))]));
const NONE: ReadonlySet<string> = new Set();

export function stopWordsOf(language: string): ReadonlySet<string> {
  return SETS.get(primaryLanguage(language)) ?? NONE;
}
