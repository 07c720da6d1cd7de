import { normaliseWhole } from '../analysis/normalise';
import { primaryLanguage, type Stemmer, stemmerOf } from '../analysis/stems';
import { tokenise } from '../analysis/tokens';
import { MOST_CORRECTED } from '../near-words';
import type { WordAnswer, WordRequest } from '../search-engine';
import type { PlanTerm, TermsMatch, TermVariant, VariantKind } from './query-plan';

export interface Understood {
  match: TermsMatch;
  /** The query as typed, normalised. */
  normalized: string;
  /** What is searched: differs from `normalized` where a word that finds nothing was corrected. */
  processed: string;
  corrected: boolean;
  /** Normalised words that are searched. */
  words: string[];
}

/** Looks words up in the store's index (SearchEngine.words). */
export type LookUp = (words: WordRequest[]) => Promise<WordAnswer[]>;

export const variantWeights: Readonly<Record<VariantKind, number>> = {
  typed: 1,
  compound: 0.95,
  stem: 0.9,
  synonym: 0.85,
  typo: 0.8,
};

/** A query is searched by so many terms at most: the rarest. */
export const MOST_TERMS = 8;
/** With fewer products that match every term, those that match at least half of them stand behind. */
export const SOME_BELOW = 10;
const MOST_WORDS = 32;
const SHORTEST_PART = 3;
const MOST_CORRECTIONS = 3;
const DIGITS_AND_LETTERS = /^(\p{L}+)(\p{N}+)$|^(\p{N}+)(\p{L}+)$/u;

/** Normalised words that say nothing about a product. Short on purpose: "the who" and "para" brands are searched, too. */
const STOP_WORDS: Readonly<Record<string, string>> = {
  pt: 'a o as os um uma uns umas de do da dos das e em no na nos nas com sem por para pra pelo pela ao aos que ou',
  es: 'el la los las un una unos unas de del y e en con sin por para al que o u',
  en: 'a an the of and or for with without in on at to by from',
};

const STOP_SETS = new Map(Object.entries(STOP_WORDS).map(([language, words]) => [language, new Set(words.split(' '))]));

/** A word of the query with what the index knows of it. */
interface Word {
  /** As searched: as typed, or corrected. */
  word: string;
  typed: string;
  documents: number;
  variants: TermVariant[];
}

/**
 * A shopper's words -> terms with every variant named (docs/ranking.md): as typed and by stem, joined with a neighbour
 * (`note book` -> `notebook`), and, only where the index does not know a word, split (`notebook` -> `note book`) or corrected.
 */
export async function understand(query: { terms: string; language: string }, lookUp: LookUp): Promise<Understood> {
  const stem = stemmerOf(query.language);
  const normalized = normaliseWhole(query.terms);
  const typed = tokenise(query.terms, MOST_WORDS).words;
  const asked = withoutStopWords(typed, query.language);
  const words = await knownWords(asked, stem, lookUp);
  const searched = words.flat();
  const corrected = searched.some(({ word, typed: as }) => word !== as);
  const replaced = new Map(
    asked.map((word, index) => [word, words[index]?.map((part) => part.word).join(' ') ?? word]),
  );
  const processed = corrected ? typed.map((word) => replaced.get(word) ?? word).join(' ') : normalized;
  const terms = rarest(unique(searched));
  return {
    match: {
      kind: 'terms',
      terms: terms.map(({ typed: word, variants }): PlanTerm => ({ word, variants })),
      exact: processed,
      someBelow: SOME_BELOW,
      minimumSome: Math.max(1, Math.ceil(terms.length / 2)),
    },
    normalized,
    processed,
    corrected,
    words: [...new Set(searched.map(({ word }) => word))],
  };
}

/** A query of stop words alone is searched as it is. */
function withoutStopWords(words: string[], language: string): string[] {
  const stopWords = STOP_SETS.get(primaryLanguage(language));
  const kept = words.filter((word) => !stopWords?.has(word));
  return kept.length > 0 ? kept : words;
}

const variant = (kind: VariantKind, token: string): TermVariant => ({ token, kind, weight: variantWeights[kind] });

const typedVariants = (word: string, stem: Stemmer): TermVariant[] => [
  variant('typed', word),
  variant('stem', stem(word)),
];

/** For each word, what it is searched as: itself, its parts, or its correction. */
async function knownWords(words: readonly string[], stem: Stemmer, lookUp: LookUp): Promise<Word[][]> {
  const joins = words.slice(1).map((word, index) => `${words[index] ?? ''}${word}`);
  const triples = words.slice(2).map((word, index) => `${joins[index] ?? ''}${word}`);
  const answers = await lookUp([
    ...words.map((word) => ({ word, stem: stem(word) })),
    ...[...joins, ...triples].map((word) => ({ word, stem: stem(word), correct: false })),
  ]);
  const compounds = words.map((): TermVariant[] => []);
  [...joins, ...triples].forEach((join, number) => {
    if ((answers[words.length + number]?.documents ?? 0) === 0) return;
    const [first, length] = number < joins.length ? [number, 2] : [number - joins.length, 3];
    for (let index = first; index < first + length; index++) compounds[index]?.push(variant('compound', join));
  });
  const asked = words.map((word, index): Word => {
    const documents = answers[index]?.documents ?? 0;
    return { word, typed: word, documents, variants: [...typedVariants(word, stem), ...(compounds[index] ?? [])] };
  });
  const isUnknown = ({ documents }: Word, index: number): boolean => documents === 0 && compounds[index]?.length === 0;
  const unknown = [...new Set(asked.filter(isUnknown).map(({ word }) => word))].slice(0, MOST_CORRECTED);
  const parts = await splitWords(unknown, stem, lookUp);
  return asked.map((own, index): Word[] => {
    if (!isUnknown(own, index)) return [own];
    const near = answers[index]?.near ?? [];
    return parts.get(own.word) ?? [near.length > 0 ? correctWord(own, near, stem) : own];
  });
}

/** Of each word that has one, the split whose parts are both known and whose rarer part is the most frequent. */
async function splitWords(words: readonly string[], stem: Stemmer, lookUp: LookUp): Promise<Map<string, Word[]>> {
  const splits = words.flatMap((word) => splitsOf(word).map((parts) => ({ word, parts })));
  if (splits.length === 0) return new Map();
  const answers = await lookUp(
    splits.flatMap(({ parts }) => parts).map((part) => ({ word: part, stem: stem(part), correct: false })),
  );
  const best = new Map<string, { rarer: number; words: Word[] }>();
  splits.forEach(({ word, parts }, number) => {
    const counts = parts.map((_, part) => answers[2 * number + part]?.documents ?? 0);
    const rarer = Math.min(...counts);
    if (rarer <= (best.get(word)?.rarer ?? 0)) return;
    const found = parts.map((part, index): Word => {
      // The typed word as a whole is what was corrected.
      return { word: part, typed: word, documents: counts[index] ?? 0, variants: typedVariants(part, stem) };
    });
    best.set(word, { rarer, words: found });
  });
  return new Map([...best].map(([word, { words: found }]) => [word, found]));
}

function splitsOf(word: string): [string, string][] {
  const mixed = DIGITS_AND_LETTERS.exec(word);
  if (mixed) return [[mixed[1] ?? mixed[3] ?? '', mixed[2] ?? mixed[4] ?? '']];
  const splits: [string, string][] = [];
  for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at++)
    splits.push([word.slice(0, at), word.slice(at)]);
  return splits;
}

/** A corrected word is searched as its nearest words. The reply names the most frequent of those at the least distance. */
function correctWord(own: Word, near: WordAnswer['near'], stem: Stemmer): Word {
  const nearest = near.filter(({ distance }) => distance === near[0]?.distance).slice(0, MOST_CORRECTIONS);
  const [best] = nearest;
  if (!best) return own;
  const stemmed = { ...variant('stem', stem(best.word)), weight: variantWeights.stem * variantWeights.typo };
  return {
    word: best.word,
    typed: own.typed,
    documents: best.documents,
    variants: [...nearest.map(({ word }) => variant('typo', word)), stemmed],
  };
}

function unique(words: readonly Word[]): Word[] {
  return [...new Map(words.map((word) => [word.word, word])).values()];
}

/** In the order typed. Words that no product contains are dropped first. */
function rarest(words: readonly Word[]): Word[] {
  if (words.length <= MOST_TERMS) return [...words];
  const rank = ({ documents }: Word): number => (documents === 0 ? Number.POSITIVE_INFINITY : documents);
  const kept = new Set([...words].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_TERMS));
  return words.filter((word) => kept.has(word));
}
