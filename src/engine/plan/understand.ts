import { isRightWord } from '../analysis/spelling/right-words';
import { normaliseWhole } from '../analysis/normalise';
import { type Stemmer, stemmerOf } from '../analysis/stems';
import { wordsAside } from '../analysis/subject';
import { normaliseQuery, type QueryWord, queryWords, tokenise } from '../analysis/tokens';
import { MOST_CORRECTED } from '../near-words';
import type { WordAnswer, WordRequest } from '../search-engine';
import type { ChangeKind, PlanTerm, TermsMatch, TermVariant, VariantKind, WordChange } from './query-plan';
import type { SortBy } from './sorts';
import { stopWordsOf } from './stop-words';
import { suggestionsFor } from './suggested-queries';
import { minimumSome, termWeights } from './term-weights';
import { anyChange, type Change, likelyChange, otherSpelling, splitsOf } from './word-changes';

export interface Understood {
  match: TermsMatch;
  /** The query as typed, normalised. */
  normalized: string;
  /** What is searched: another query than `normalized` where a word that finds nothing was changed. Measures are as they were written. */
  processed: string;
  corrected: boolean;
  /** Every word that is searched as another one, and why. */
  changes: WordChange[];
  /** Normalised words that are searched. */
  words: string[];
  /** What may find more, where not everything asked for is found. */
  suggestions: string[];
}

/** Looks words up in the store's index (SearchEngine.words). */
export type LookUp = (words: WordRequest[]) => Promise<WordAnswer[]>;

export const variantWeights: Readonly<Record<VariantKind, number>> = {
  typed: 1,
  compound: 0.95,
  stem: 0.9,
  synonym: 0.85,
  completion: 0.85,
  typo: 0.8,
};
/** A measure found by its number alone. */
const NUMBER_ALONE = 0.5;

/** A query is searched by so many terms at most: the rarest. */
export const MOST_TERMS = 8;
/** With fewer products that match every term, those that match some of them stand behind: nobody pages as far as these reach. */
export const SOME_BELOW = 50;
const MOST_WORDS = 32;
const ASIDE = { aside: true } as const;

/** A word of the query with what the index knows of it. */
export interface Word {
  /** As searched: as typed, or changed. */
  word: string;
  typed: string;
  documents: number;
  of: number;
  isNumber: boolean;
  change: ChangeKind | null;
  /** The store has a word like it, which it is not taken for: it is spelled right. */
  other: string | null;
  variants: TermVariant[];
}

interface Context {
  language: string;
  stem: Stemmer;
  lookUp: LookUp;
}

/**
 * A shopper's words -> terms with every variant named (docs/search-text.md): as typed and by stem, joined with a neighbour
 * (`note book` -> `notebook`), and, only where neither the index nor the language knows a word, completed, corrected or split.
 */
export async function understand(query: { terms: string; language: string }, lookUp: LookUp): Promise<Understood> {
  const { language } = query;
  const normalized = normaliseWhole(query.terms);
  const typed = queryWords(query.terms, MOST_WORDS);
  const asked = withoutStopWords(typed, language);
  const words = await knownWords(asked, { language, stem: stemmerOf(language), lookUp });
  const searched = words.flat();
  const replaced = new Map(asked.map(({ word }, index) => [word, words[index]?.map((own) => own.word).join(' ')]));
  const corrected = searched.some(({ change }) => change !== null);
  const processed = corrected
    ? typed.map(({ word }) => replaced.get(word) ?? word).join(' ')
    : normaliseQuery(query.terms);
  const kept = rarest(unique(searched));
  const weights = termWeights(kept);
  const aside = wordsAside(query.terms, language);
  return {
    match: {
      kind: 'terms',
      terms: kept.map(({ typed: word, variants }, index): PlanTerm => ({
        word,
        variants,
        weight: weights[index] ?? 1,
        ...(aside.has(word) ? ASIDE : {}),
      })),
      exact: normaliseWhole(processed),
      someBelow: SOME_BELOW,
      minimumSome: minimumSome(kept),
    },
    normalized,
    processed,
    corrected,
    changes: changesOf(words),
    words: [...new Set(searched.flatMap(({ word }) => tokenise(word).words))],
    suggestions: suggestionsFor(unique(searched), language),
  };
}

/** Sorted by anything but relevance, partial matches would stand among the others: then they are there only where nothing matches all. */
export const matchFor = (match: TermsMatch, sortBy: SortBy): TermsMatch =>
  sortBy === 'relevance' ? match : { ...match, someBelow: Math.min(1, match.someBelow) };

/** A query of stop words alone is searched as it is. */
function withoutStopWords(words: QueryWord[], language: string): QueryWord[] {
  const stopWords = stopWordsOf(language);
  const kept = words.filter(({ word }) => !stopWords.has(word));
  return kept.length > 0 ? kept : words;
}

const variant = (kind: VariantKind, token: string, weight = variantWeights[kind]): TermVariant => {
  return { token, kind, weight };
};

const typedVariants = (word: string, stem: Stemmer): TermVariant[] => [
  variant('typed', word),
  variant('stem', stem(word)),
];

/** The first that stands for the whole measure, then the others; the number alone only where units are left out. */
function measureVariants({ word, measure }: QueryWord): TermVariant[] {
  const [whole = word, ...others] = measure?.tokens ?? [];
  const kept = measure?.unitLeftOut ? others : others.filter((token) => !/^[\d.]+$/.test(token));
  return [
    variant('typed', whole),
    ...kept.map((token) =>
      /^[\d.]+$/.test(token) ? variant('compound', token, NUMBER_ALONE) : variant('compound', token),
    ),
  ];
}

/** For each word, what it is searched as: itself, another one, or its parts. */
async function knownWords(words: readonly QueryWord[], context: Context): Promise<Word[][]> {
  const { stem, lookUp } = context;
  const joins = joinsOf(words);
  const own = words.map((word) => (word.measure ? measureVariants(word).map(({ token }) => token) : [word.word]));
  const requests = [
    ...own.flatMap((tokens, index) =>
      tokens.map((word) => ({ word, stem: stem(word), ...(words[index]?.measure ? { correct: false } : {}) })),
    ),
    ...joins.map(({ word }) => ({ word, stem: stem(word), correct: false })),
  ];
  const answers = await lookUp(requests);
  const answered = own.map((tokens) => answers.splice(0, tokens.length));
  const compounds = words.map((): TermVariant[] => []);
  joins.forEach(({ word, first, length }, number) => {
    if ((answers[number]?.documents ?? 0) === 0) return;
    for (let index = first; index < first + length; index++) compounds[index]?.push(variant('compound', word));
  });
  const asked = words.map((word, index): Word => {
    const of = answered[index]?.[0]?.of ?? 0;
    const documents = Math.max(0, ...(answered[index] ?? []).map((answer) => answer.documents));
    const variants = word.measure
      ? measureVariants(word)
      : [...typedVariants(word.word, stem), ...(compounds[index] ?? [])];
    const isNumber = word.measure !== null || /^\d+$/.test(word.word);
    return { word: word.word, typed: word.word, documents, of, isNumber, change: null, other: null, variants };
  });
  const unknown = asked.filter(
    ({ documents }, index) => documents === 0 && compounds[index]?.length === 0 && !words[index]?.measure,
  );
  const changed = await changeWords(unknown, (word) => answered[asked.indexOf(word)]?.[0], context);
  return asked.map((word) => changed.get(word.word) ?? [word]);
}

interface Join {
  word: string;
  first: number;
  length: number;
}

/** Two and three neighbours written as one. */
function joinsOf(words: readonly QueryWord[]): Join[] {
  return [2, 3].flatMap((length) =>
    words.flatMap((_, first): Join[] => {
      const parts = words.slice(first, first + length);
      if (parts.length < length || parts.some(({ measure }) => measure !== null)) return [];
      return [{ word: parts.map(({ word }) => word).join(''), first, length }];
    }),
  );
}

/** What the first words that no product has are searched as. */
async function changeWords(
  unknown: readonly Word[],
  answerOf: (word: Word) => WordAnswer | undefined,
  context: Context,
): Promise<Map<string, Word[]>> {
  const stopWords = stopWordsOf(context.language);
  const found = new Map<string, Word[]>();
  const open = new Map<string, { own: Word; answer: WordAnswer; right: boolean }>();
  for (const own of unique(unknown).slice(0, MOST_CORRECTED)) {
    const answer = answerOf(own);
    if (!answer) continue;
    const right = isRightWord(own.word, context.language);
    const change = right ? otherSpelling(own.word, answer) : likelyChange(own.word, answer);
    if (change) found.set(own.word, [changedWord(own, change, context.stem)]);
    else open.set(own.word, { own, answer, right });
  }
  const splits = [...open.values()].flatMap(({ own, right }) =>
    splitsOf(own.word, { right, stopWords }).map((parts) => ({ own, parts })),
  );
  const parts = await splitWords(splits, context);
  for (const [word, { own, answer, right }] of open) {
    const change = right ? null : anyChange(answer);
    const other = (right && answer.near.find(({ word: near }) => !stopWords.has(near))?.word) || null;
    const whole = change ? changedWord(own, change, context.stem) : { ...own, other };
    found.set(word, parts.get(word) ?? [whole]);
  }
  return found;
}

/** Of each word that has one, the split whose parts are both known and whose rarer part is the most frequent. */
async function splitWords(
  splits: readonly { own: Word; parts: [string, string] }[],
  { stem, lookUp }: Context,
): Promise<Map<string, Word[]>> {
  if (splits.length === 0) return new Map();
  const answers = await lookUp(
    splits.flatMap(({ parts }) => parts).map((part) => ({ word: part, stem: stem(part), correct: false })),
  );
  const best = new Map<string, { rarer: number; words: Word[] }>();
  splits.forEach(({ own, parts }, number) => {
    const counts = parts.map((_, part) => answers[2 * number + part]?.documents ?? 0);
    const rarer = Math.min(...counts);
    if (rarer <= (best.get(own.word)?.rarer ?? 0)) return;
    const words = parts.map((part, index): Word => {
      // The typed word as a whole is what was changed.
      const isNumber = /^\d+$/.test(part);
      return {
        ...own,
        word: part,
        documents: counts[index] ?? 0,
        isNumber,
        change: 'split',
        variants: typedVariants(part, stem),
      };
    });
    best.set(own.word, { rarer, words });
  });
  return new Map([...best].map(([word, { words }]) => [word, words]));
}

/** A changed word is searched as each of the words it may be. The reply names the likeliest. */
function changedWord(own: Word, { kind, words }: Change, stem: Stemmer): Word {
  const [best] = words;
  if (!best) return own;
  const as = kind === 'completion' ? 'completion' : 'typo';
  return {
    ...own,
    word: best.word,
    documents: best.documents,
    change: kind,
    variants: [
      ...words.map(({ word }) => variant(as, word)),
      variant('stem', stem(best.word), variantWeights.stem * variantWeights[as]),
    ],
  };
}

function changesOf(words: readonly Word[][]): WordChange[] {
  const changes = words.flatMap((parts): WordChange[] => {
    const [first] = parts;
    if (!first?.change) return [];
    return [{ word: first.typed, as: parts.map(({ word }) => word).join(' '), kind: first.change }];
  });
  return [...new Map(changes.map((change) => [change.word, change])).values()];
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
