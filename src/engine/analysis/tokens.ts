import { findMeasures, type Measure } from './measures';
import { normalise, normaliseWhole } from './normalise';

/** Longer words are cut: nobody types them, and they would swell the dictionary. */
export const LONGEST_WORD = 40;
/** Words, or parts held together by what model numbers and compounds are written with. */
const CHUNK = /[\p{L}\p{N}\p{M}]+(?:[-_.·'’`´]+[\p{L}\p{N}\p{M}]+)*/gu;
const JOINTS = /[-_.·'’`´]+/u;
const GENITIVE = /['’`´]s$/u;
const LETTER = /\p{L}/u;
/** Scripts written without spaces: indexed by pairs of characters. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]/u;
/** A word and a number behind it, as model numbers and the like are also written. */
const MODEL = /(?<![\p{L}\p{N}])(\p{L}{1,10}) (?=(\d[\p{L}\p{N}]{0,7})(?![\p{L}\p{N}.,/]))/gu;
const NUMBER_BEHIND = / \d/;
const UNSPACED_RUNS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{M}]+|[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]+/gu;

export interface Tokens {
  /** Normalised words in their order, repeats included. */
  words: string[];
  /** Compounds and model numbers written as one: `wh-1000xm4` -> `wh1000xm4`. */
  joined: string[];
}

/** Characters of a text in which other spellings are looked for. */
const MOST_SPELLED = 4000;

/** What else an index knows a text by: `xj 900` as `xj900`, `1,5 l` as `1500ml` and `1.5`. */
export function otherSpellings(text: string): string[] {
  const normalised = normalise(text.slice(0, MOST_SPELLED));
  if (!/\d/.test(normalised)) return [];
  const models = [...(NUMBER_BEHIND.test(normalised) ? normalised.matchAll(MODEL) : [])].map(
    ([, letters = '', number = '']) => letters + number,
  );
  return [...models, ...findMeasures(normalised).flatMap(({ tokens }) => tokens)];
}

/** A word of a query, or a measure, which is one. */
export interface QueryWord {
  word: string;
  measure: Measure | null;
}

/** The words of a query in their order, at most `most` of them. */
export function queryWords(query: string, most: number): QueryWord[] {
  const text = normalise(query);
  const found: QueryWord[] = [];
  let from = 0;
  const wordsUntil = (end: number): void => {
    for (const word of tokenise(text.slice(from, end), most).words) found.push({ word, measure: null });
  };
  for (const measure of findMeasures(text)) {
    wordsUntil(measure.start);
    found.push({ word: measure.written.trim(), measure });
    from = measure.end;
  }
  wordsUntil(text.length);
  return found.slice(0, most);
}

/** A query normalised as a whole, but for its measures, which stay as they were written: without its comma `1,5 l` is another one. */
export function normaliseQuery(query: string): string {
  const text = normalise(query);
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, written } of findMeasures(text)) {
    parts.push(normaliseWhole(text.slice(from, start)), written.trim());
    from = end;
  }
  parts.push(normaliseWhole(text.slice(from)));
  return parts.filter((part) => part !== '').join(' ');
}

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length < 3) return [run];
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

function wordsOf(part: string): string[] {
  if (!UNSPACED.test(part)) return [part.slice(0, LONGEST_WORD)];
  return (part.match(UNSPACED_RUNS) ?? []).flatMap((run) =>
    UNSPACED.test(run) ? pairs(run) : [run.slice(0, LONGEST_WORD)],
  );
}

/** Text of any script -> normalised words; at most `most` of them. */
export function tokenise(text: string, most = Number.POSITIVE_INFINITY): Tokens {
  const words: string[] = [];
  const joined: string[] = [];
  for (const [found] of normalise(text).matchAll(CHUNK)) {
    const chunk = found.replace(GENITIVE, '');
    const parts = chunk.split(JOINTS);
    for (const part of parts) words.push(...wordsOf(part));
    if (parts.length > 1 && parts.length <= 4 && LETTER.test(chunk)) joined.push(parts.join('').slice(0, LONGEST_WORD));
    if (words.length >= most) break;
  }
  return { words: words.length > most ? words.slice(0, most) : words, joined };
}
