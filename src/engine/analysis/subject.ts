import { remembered } from '../../shared/remembered';
import type { FacetEntry } from '../facets';
import { normalise } from './normalise';
import { primaryLanguage, stemmerOf } from './stems';
import { tokenise } from './tokens';

/** What a product is, and what it is only for, as stems: "Capa de couro para celular" is a `capa`, and `celular` stands aside. */
export interface Subject {
  /** Nouns that say what the product is. */
  named: string[];
  /** Words that the name has only behind a preposition such as "for" or "with". */
  aside: string[];
  /** Its categories of all levels, each as `categoryKey`. */
  categories: string[];
}

interface Grammar {
  /** Whether a noun phrase begins with its noun ("capa de couro") or ends with it ("leather case"). */
  headFirst: boolean;
  /** What stands behind is another thing. */
  aside: ReadonlySet<string>;
  /** What stands behind says more about the same thing. */
  more: ReadonlySet<string>;
  /** Between two names of a category. */
  and: RegExp;
}

/** What the name of a category says, whichever product is in it. */
interface CategoryName {
  /** As `categoryKey`. */
  key: string;
  /** Stems of its nouns. */
  nouns: readonly string[];
  /** Stems of all its words. */
  words: readonly string[];
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** Names of categories are compared as far as this. */
const LONGEST_KEY = 200;
/** Shorter words join others. */
const SHORTEST = 3;
/** Prepositions cut short. */
const SHORT = /(?<=\s)[pcw]\/(?=\S)/g;
/** What follows belongs to the whole name again. */
const PAUSES = /[,;:|()[\]]|\s[-–—]\s/;

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  pt: {
    headFirst: true,
    aside: words('para pra p/ com c/ compativel'),
    more: words('de do da dos das em no na a ao sem por ou os as'),
    and: /\s(?:e|ou)\s|[,/&+]/,
  },
  es: {
    headFirst: true,
    aside: words('para p/ con c/ compatible'),
    more: words('de del en a al sin por los las una'),
    and: /\s(?:y|e|o|u)\s|[,/&+]/,
  },
  en: {
    headFirst: false,
    aside: words('for with w/ fits compatible'),
    more: words('of in on to by from without and or the'),
    and: /\s(?:and|or)\s|[,/&+]/,
  },
};

const NOTHING: Subject = { named: [], aside: [], categories: [] };

/** Languages of which the grammar is not known say nothing. */
export function subjectOf(
  { name, categories }: { name: string; categories: readonly FacetEntry[] },
  language: string,
): Subject {
  const grammar = GRAMMARS[primaryLanguage(language)];
  const nameOf = categoryNames.get(primaryLanguage(language));
  if (!grammar || !nameOf) return NOTHING;
  const stems = (part: string): string[] => stemsOf(part, language);
  const { front, behind } = splitAside(name, grammar);
  const inFront = new Set(behind.length > 0 ? front.flatMap(stems) : []);
  const aside = unique(behind.flatMap(stems)).filter((word) => !inFront.has(word));
  const own = [...(grammar.headFirst ? front.slice(0, 1).flatMap(stems) : []), ...categoryNouns(categories, nameOf)];
  const keys = categories.map(({ label }) => nameOf(label).key);
  return {
    named: unique(own).filter((word) => !aside.includes(word)),
    aside,
    categories: unique(keys.filter((key) => key !== '')),
  };
}

function stemsOf(part: string, language: string): string[] {
  const { words: own, joined } = tokenise(part);
  return [...own, ...joined].map(stemmerOf(language));
}

/** What names a category, in whatever order and number: the stems of its words, small ones left out. */
export function categoryKey(names: readonly string[], language: string): string {
  const grammar = GRAMMARS[primaryLanguage(language)];
  const isSmall = (word: string): boolean =>
    word.length < SHORTEST || grammar?.aside.has(word) === true || grammar?.more.has(word) === true;
  return unique(names.filter((word) => !isSmall(word)).map(stemmerOf(language)))
    .sort()
    .join(' ')
    .slice(0, LONGEST_KEY);
}

/** Of the words of a query, those behind a preposition: what the thing asked for is for. */
export function wordsAside(text: string, language: string): ReadonlySet<string> {
  const grammar = GRAMMARS[primaryLanguage(language)];
  return new Set(grammar ? splitAside(text, grammar).behind.flatMap((part) => tokenise(part).words) : []);
}

/** Whether the first of several nouns is the one a phrase is about, else the last. */
export const isHeadFirst = (language: string): boolean => GRAMMARS[primaryLanguage(language)]?.headFirst ?? true;

/** Written words, those in front of the first such preposition and those behind it, up to a pause. */
function splitAside(text: string, { aside }: Grammar): { front: string[]; behind: string[] } {
  const split = { front: [] as string[], behind: [] as string[] };
  for (const part of normalise(text).split(PAUSES)) {
    let where = split.front;
    // "p/ cafeteira" and "p/cafeteira" are two words each.
    for (const word of part.replace(SHORT, '$& ').split(/\s+/)) {
      if (aside.has(word) && split.front.length > 0) where = split.behind;
      else if (word !== '') where.push(word);
    }
  }
  return split;
}

/** The nouns of the last levels, and what a last level shares with those above it ("Potatoes > Sweet potatoes"). */
function categoryNouns(categories: readonly FacetEntry[], nameOf: (label: string) => CategoryName): string[] {
  const isLeaf = ({ key }: FacetEntry): boolean => categories.every(({ parent }) => parent !== key);
  const [leaves, others] = [categories.filter(isLeaf), categories.filter((entry) => !isLeaf(entry))];
  const above = new Set(others.flatMap(({ label }) => nameOf(label).nouns));
  return leaves.flatMap(({ label }) => {
    const { nouns, words: all } = nameOf(label);
    return [...nouns, ...all.filter((word) => above.has(word))];
  });
}

/** The noun of each name of a label: "Capas e Películas para Celular" -> capas, peliculas. */
function phrasesOf(label: string, grammar: Grammar): string[] {
  return ` ${normalise(label)} `.split(grammar.and).flatMap((phrase) => {
    const found = phrase.trim().split(/\s+/);
    const end = found.findIndex((word, at) => at > 0 && (grammar.aside.has(word) || grammar.more.has(word)));
    const nouns = found.slice(0, end < 0 ? undefined : end);
    return nouns.slice(...(grammar.headFirst ? [0, 1] : [-1])).filter((noun) => noun !== '');
  });
}

/** A catalog names the same categories in product after product. */
const MOST_REMEMBERED = 2000;
const categoryNames = new Map(
  Object.entries(GRAMMARS).map(([language, grammar]) => [
    language,
    remembered(MOST_REMEMBERED, (label): CategoryName => ({
      key: categoryKey(tokenise(label).words, language),
      nouns: phrasesOf(label, grammar).flatMap((noun) => stemsOf(noun, language)),
      words: stemsOf(label, language),
    })),
  ]),
);

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
