import type { FacetKind, RangeKind, ValueKind } from '../facets';
import type { PlanRules } from './plan-rules';
import type { SortBy } from './sorts';

/** How a variant came from what was typed; earlier kinds weigh more (contract 4.6). */
export type VariantKind = 'typed' | 'stem' | 'synonym' | 'compound' | 'completion' | 'typo';

/** One token of the index that may stand for a query term. Engines never expand by themselves. */
export interface TermVariant {
  /** `typed` and `typo` variants are normalised words; `stem` ones are stems (a separate field in the index). */
  token: string;
  kind: VariantKind;
  /** Multiplies the term's score: 1 for the word as typed, less for the others. */
  weight: number;
  /** Of a word, or the stem of one, that stands for what was typed: the whole synonym. */
  synonym?: string;
}

export interface PlanTerm {
  /** The normalised word as typed. */
  word: string;
  variants: TermVariant[];
  /** A partial match stands in the step that is the sum of its terms' weights: whole numbers from 1. */
  weight: number;
  /** It stands behind "for" or the like: what the thing asked for is for. */
  aside?: true;
}

export type PlanFilter =
  /** Any of them. A level of a tree (`a`, `a/b`) holds what is below it, too. */
  | { kind: ValueKind; keys: string[] }
  /** Inclusive bounds. */
  | { kind: RangeKind; ranges: { min: number | null; max: number | null }[] };

/** The part of a search that is the same for every shopper. */
export interface QueryPlan {
  store: string;
  /** Sales channels, at least one: of several, a product is taken as it is in the first in which it exists. */
  channels: string[];
  /** Primary language subtag of the store: says which stemmer the index used. */
  language: string;
  match:
    /** Without words: every product, or those of `products` and those that pass `within`, which no facet leaves out. */
    | { kind: 'all'; products?: readonly string[]; within?: readonly PlanFilter[] }
    /** In the order of the ids; unknown ones are left out. */
    | { kind: 'ids'; ids: string[] }
    | {
        kind: 'terms';
        terms: PlanTerm[];
        /** The whole query, normalised: equal to a product's name, id, sku or EAN puts it in the exact tier. */
        exact: string;
        /**
         * With fewer all-term matches than this, products matching at least `minimumSome` terms stand behind them; where there are none
         * of either, those that match any term.
         */
        someBelow: number;
        minimumSome: number;
        /** Categories that shoppers choose from after this query, each as `categoryKey`: it is about what is in them, too. */
        chosen?: readonly string[];
      };
  filters: PlanFilter[];
  /** Absent: none act. */
  rules?: PlanRules;
  /** Hits are of these products alone; what matches, and in which tier, is decided as without. For looks at single products. */
  only?: readonly string[];
  availableOnly: boolean;
  sortBy: SortBy;
  from: number;
  size: number;
  /** `spec.*` and `detail.*` stand for every facet of their family: the most frequent values of all of them together. */
  facets: FacetKind[];
  /** Values that a facet answers at most; absent: 200. */
  mostValues?: number;
  /** The time that signals of quality are computed for; epoch milliseconds. */
  now: number;
}

export type TermsMatch = Extract<QueryPlan['match'], { kind: 'terms' }>;

/** What becomes of a word that the store does not have. */
export type ChangeKind = 'completion' | 'correction' | 'split';

/** A word that is searched as another one, or that a product is found without. */
export interface WordChange {
  word: string;
  /** What it is searched as, as the reply names it; of an omission nothing. */
  as: string;
  /** Of a product also: words that are written as one, and one that is left out. */
  kind: ChangeKind | 'compound' | 'omission';
}
