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
  if (!grammar) return NOTHING;
  const keys = categories.map(({ label }) => categoryKey(tokenise(label).words, language));
  const stem = stemmerOf(language);
  const stems = (part: string): string[] => {
    const { words: own, joined } = tokenise(part);
    return [...own, ...joined].map(stem);
  };
  const { front, behind } = splitAside(name, grammar);
  const inFront = new Set(front.flatMap(stems));
  const aside = unique(behind.flatMap(stems)).filter((word) => !inFront.has(word));
  const own = [
    ...(grammar.headFirst ? front.slice(0, 1).flatMap(stems) : []),
    ...categoryNouns(categories, grammar, stems),
  ];
  return {
    named: unique(own).filter((word) => !aside.includes(word)),
    aside,
    categories: unique(keys.filter((key) => key !== '')),
  };
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
function categoryNouns(
  categories: readonly FacetEntry[],
  grammar: Grammar,
  stems: (part: string) => string[],
): string[] {
  const isLeaf = ({ key }: FacetEntry): boolean => categories.every(({ parent }) => parent !== key);
  const nounsOf = ({ label }: FacetEntry): string[] => phrasesOf(label, grammar).flatMap(stems);
  const above = new Set(categories.filter((entry) => !isLeaf(entry)).flatMap(nounsOf));
  return categories
    .filter(isLeaf)
    .flatMap((leaf) => [...nounsOf(leaf), ...stems(leaf.label).filter((word) => above.has(word))]);
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

const unique = (values: readonly string[]): string[] => [...new Set(values)];
