import { categoryKey, isHeadFirst } from '../analysis/subject';
import { stemmerOf } from '../analysis/stems';
import { tokenFrequency } from '../../ranking/text';
import { textFields } from '../../ranking/template/text-fields';
import { asideToken, categoryToken, subjectToken, wordToken } from '../field-words';
import type { PlanTerm, TermsMatch, TermVariant } from './query-plan';

/** What a query is about, as tokens of the index: products with one of `named` are the thing itself. */
export interface AskedSubject {
  named: string[];
  /** What products have in which a word of the query only stands aside: "for ..." */
  aside: string[];
  /** A brand that the query names: in products of others that say it, it stands aside, too. Empty: none. */
  brand: string[];
  /** The category that the whole query names: what is in it is what was asked for. */
  category: string[];
  /** Categories that shoppers choose from after this query: what is in them is what was asked for, whatever their names say of it. */
  chosen: string[];
}

/** How often the catalog must use a word for what a product is, of all products with the word, so that it counts as a noun. */
const LEAST_NOUN = 0.05;
/** The same for a brand: that of many accessories is not the one in their names. */
const LEAST_BRAND = 0.1;
const BRAND = textFields.indexOf('brand');

type Terms = readonly PlanTerm[];

/** What is asked for: words, and what shoppers were seen to mean by them. */
export interface AskedTerms extends Pick<TermsMatch, 'chosen'> {
  terms: Terms;
}

/** The stems a term may stand for. */
function stemsOf({ variants }: PlanTerm, language: string): string[] {
  const stem = stemmerOf(language);
  return [...new Set(variants.map(({ kind, token }) => (kind === 'stem' ? token : stem(token))))];
}

/** The tokens whose frequencies `askedSubject` asks for beside those of the variants. */
export function subjectTokens(terms: Terms, language: string): string[] {
  return [...new Set(terms.flatMap((term) => stemsOf(term, language).map(subjectToken)))];
}

/** Products that have a token, by field in the order of `textFields`. */
export interface Frequencies {
  ofVariant(variant: TermVariant): readonly number[];
  ofToken(token: string): readonly number[];
}

/** The words a term may stand for, stems left out: brands have no plural. */
const wordsOf = ({ variants }: PlanTerm): string[] =>
  variants.filter(({ kind }) => kind !== 'stem').map(({ token }) => wordToken(token));

/**
 * Of the words of a query those that the catalog uses as nouns, and of these the one the phrase is about: the first ("filtro de
 * cafeteira") or, in languages that put it last, the last ("coffee maker filter"), leaving out what stands behind "for".
 */
export function askedSubject(
  { terms, chosen = [] }: AskedTerms,
  language: string,
  frequencies: Frequencies,
): AskedSubject {
  const all = (term: PlanTerm): number =>
    Math.max(0, ...term.variants.map((variant) => tokenFrequency(frequencies.ofVariant(variant))));
  const isNoun = (term: PlanTerm): boolean => {
    const hints = stemsOf(term, language).map((stem) => tokenFrequency(frequencies.ofToken(subjectToken(stem))));
    return isShareOf(Math.max(0, ...hints), all(term), LEAST_NOUN);
  };
  const isBrand = (term: PlanTerm): boolean => {
    const branded = wordsOf(term).map((token) => frequencies.ofToken(token)[BRAND] ?? 0);
    return isShareOf(Math.max(0, ...branded), all(term), LEAST_BRAND);
  };
  const nouns = terms.filter(isNoun);
  const key = categoryKey(terms.map(searchedWord), language);
  const own = nouns.filter(({ aside }) => !aside);
  const subject = (own.length > 0 ? own : nouns).at(isHeadFirst(language) ? 0 : -1);
  return {
    named: subject ? stemsOf(subject, language).map(subjectToken) : [],
    aside: [...new Set(terms.flatMap((term) => stemsOf(term, language).map(asideToken)))],
    brand: terms
      .filter((term) => !nouns.includes(term) && isBrand(term))
      .slice(0, 1)
      .flatMap(wordsOf),
    category: key === '' ? [] : [categoryToken(key)],
    chosen: chosen.map(categoryToken),
  };
}

/** As it is searched: corrected where it was. */
const searchedWord = ({ word, variants }: PlanTerm): string =>
  variants.find(({ kind }) => kind !== 'stem')?.token ?? word;

const isShareOf = (part: number, all: number, least: number): boolean => part > 0 && part >= least * all;

/** What of a product its steps are counted by. */
export interface SubjectHints {
  isNamed: boolean;
  /** A word of the query is in it only as what it is for. */
  standsAside: boolean;
  /** It is of the brand that the query names. */
  isOfBrand: boolean;
  /** It is in the category that the query names. */
  isInCategory: boolean;
  /** It is in a category that shoppers choose from after the query. */
  isChosen: boolean;
}

/** How many steps a product is behind the thing asked for. */
export function aboutStep({ named, brand, chosen }: AskedSubject, product: SubjectHints): 0 | 1 | 2 {
  if (product.isChosen || (named.length > 0 && product.isNamed)) return 0;
  const isAside = product.standsAside || (brand.length > 0 && !product.isOfBrand && !product.isInCategory);
  if (!isAside && product.isInCategory) return 0;
  if (named.length + chosen.length === 0) return isAside ? 1 : 0;
  return isAside ? 2 : 1;
}
