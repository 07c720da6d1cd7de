import type { Boosts } from '../ranking/affinity';
import type { Explanation } from '../ranking/score';
import type { BoostTemplate } from '../ranking/template/template';
import type { SignalFields } from '../ranking/signal-numbers';
import { Executions } from './executions';
import type { FacetFields, FacetKind, RangeKind, ValueKind } from './facets';
import type { IndexBefore } from './index-before';
import type { MatchedSynonym } from './plan/matched-synonyms';
import type { QueryPlan, WordChange } from './plan/query-plan';
import type { FacetRange } from './facet-ranges';

/** What is indexed of one product in one sales channel (`*`: in every channel but `excludedChannels`). */
export interface EngineDocument extends SignalFields, FacetFields {
  productId: string;
  channel: string;
  excludedChannels: string[];
  /** The record's version; an older one never replaces a newer one. */
  version: number;
  /** Raw text by field; the engine analyses it in `language`. */
  text: { name: string; brand: string; categories: string; tags: string; skus: string; description: string };
  /** Values that make an exact match: name, id, SKUs, EANs, as sent. */
  exact: string[];
  /** Feature names that behaviour vectors may boost. */
  features: string[];
}

export interface EngineHit {
  productId: string;
  /** The sales channel of the plan in which the product was found. */
  channel: string;
  /** Version of the record that was indexed. */
  version: number;
  score: number;
  /** `pin`: where hits are ordered by relevance, it stands at the place that a rule of the store gave it. */
  tier: 'pin' | 'exact' | 'all' | 'some' | null;
  /** Only where the template limits a brand's share: the key of its brand, and its tier with the step of a partial match; higher stands above. */
  brand?: string | null;
  step?: number;
  /** Only where asked. */
  explanation?: Explanation;
  /** With the explanation: the synonyms that the product has instead of words of the query. */
  synonyms?: MatchedSynonym[];
  /** With the explanation: in which other way than as typed the product matches the words of the query, and those that it lacks. */
  changes?: WordChange[];
}

export interface FacetValue {
  key: string;
  label: string;
  /** In a tree: the level above. */
  parent: string | null;
  /** The id the store gave, else the key. */
  idO: string;
  size: number;
}

/** `of`: hits that pass every filter but the facet's own. */
export type Facet = { of: number } & (
  | {
      kind: ValueKind;
      /** Of `spec.size`, the name as the store wrote it. */
      name?: string;
      /** The most frequent first. */
      values: FacetValue[];
    }
  | {
      kind: RangeKind;
      /** From the lowest to the highest, rounded outwards; null: no hit is in any range. */
      whole: FacetRange | null;
      /** Ranges over all hits, and how many hits each range holds. */
      ranges: FacetRange[];
      /** The ranges that the plan's filter names, in its order. */
      selected: { min: number | null; max: number | null; size: number }[];
    }
);

export interface EngineQuery {
  plan: QueryPlan;
  template: BoostTemplate;
  /** The shopper's part; null: the neutral order. */
  boosts: Boosts | null;
  explain: boolean;
  /** Until when somebody waits for the answer, as `performance.now()`; absent: as long as the engine waits by itself. */
  until?: number | undefined;
}

export interface EngineResult {
  total: number;
  hits: EngineHit[];
  /** One for each kind asked, of a family one for each name that hits have; a facet's counts ignore its own selection. */
  facets: Partial<Record<FacetKind, Facet>>;
  /** Where two results of a store have the same in this process, they have the same facets. Absent: they may be any. */
  facetsName?: string;
  /** Which way it was executed. */
  execution: string;
}

/** A product to be written: `documents` replace those it has, none takes it out of the index. */
export interface EngineProduct {
  productId: string;
  /** The record's version, for a product without documents. */
  version?: number;
  documents: EngineDocument[];
}

/** A product's popularity as the store's orders teach it; null: they teach nothing. */
export type LearnedTrend = [productId: string, value: number | null];

/** A normalised word to look up. `correct: false`: near words are not needed. */
export interface WordRequest {
  word: string;
  stem: string;
  correct?: boolean;
  /** Also the words it may be the beginning of. */
  complete?: boolean;
}

export interface WordsRequest {
  words: WordRequest[];
  /** As of an EngineQuery. */
  until?: number | undefined;
}

export interface WordAnswer {
  /** Products the word or another word of its stem occurs in. */
  documents: number;
  /** Products there are. */
  of: number;
  near: NearWord[];
  /** Words that begin with it, the most frequent first: of a word to complete, and of one that near words are looked up for. */
  completions: Completion[];
}

/** A word of the index that may be what was meant. */
export interface NearWord {
  word: string;
  distance: number;
  /** How unlikely a slip it takes to type the other word for it (`typingCost`). */
  cost: number;
  /** Products it occurs in. */
  documents: number;
}

/** A word that begins like what was asked for. `distance` 1: but for one typing mistake. `documents`: with it in one of `completedFields`. */
export interface Completion extends Omit<NearWord, 'cost'> {
  /** The idf of docs/ranking.md. */
  rarity: number;
}

/** Serving state: products searchable, and the highest version indexed. */
export interface IndexStatus {
  documents: number;
  version: number;
  /** Made by an older version of the service, or not known to hold everything: it should be rebuilt. */
  outdated: boolean;
  /** It was there, and is no more: only a rebuild brings it back. */
  gone?: boolean;
  /** It has become too large for where it is: a rebuild moves it. */
  grown?: boolean;
}

/** Writes every product of a store through `write`. */
export type FillIndex = (write: (products: EngineProduct[]) => Promise<void>) => Promise<void>;

/** An index that was filled and does not serve yet, searched like the one that does. */
export interface BuiltIndex {
  search(query: EngineQuery): Promise<EngineResult>;
  words(request: WordsRequest): Promise<WordAnswer[]>;
  /** It finds what was written meanwhile. */
  refresh(): Promise<void>;
}

/** Looks an index over before it serves. Where this rejects, the index does not come to serve. */
export type CheckIndex = (built: BuiltIndex) => Promise<void>;

export interface RebuildOptions {
  check?: CheckIndex;
  /** Whether the index before can be gone back to; absent: it can. Without it, the store's next writes go to one place. */
  keep?: boolean;
}

/** How long the index before is kept after a switch, in milliseconds. */
export const INDEX_KEPT_MS = 86_400_000;

/**
 * Finds and orders products; what the rules of a plan hide is not there. The order
 * is the formula of docs/ranking.md: pins at their places, tiers, then text × quality × personal × rules, ties by product id, and then the template's
 * share of one brand; it is the same for the same index, plan, template and boosts. Once `until` is over, a search or look-up is not begun, or given up, and fails with
 * `unavailable`. Stores take turns. Hidden: how candidates are found. Left out: records (CatalogRecords),
 * understanding of words (plan/), which boosts (ranking/).
 */
export abstract class SearchEngine {
  constructor(readonly executions = new Executions()) {}

  abstract readonly before: IndexBefore;
  abstract search(query: EngineQuery): Promise<EngineResult>;
  /** For each normalised word: the number of products it (or its stem) occurs in, and, where that is 0, near words within the usual edit
   * distance (0 up to 2 letters, 1 up to 5, else 2; same first letter), the likeliest to be meant first, and longer words that begin with it. They are looked up for the first `MOST_CORRECTED` such words of a
   * request that have no digit, and as far as its share of the engine's time goes. Of a word to complete, the most frequent words that begin
   * with it (`analysis/beginnings.ts`); where there is none, those that would but for one typing mistake behind the first letter. */
  abstract words(store: string, request: WordsRequest): Promise<WordAnswer[]>;
  /** Replaces all documents of each product by the ones given (none: it leaves the index). A version older than the
   * indexed one is ignored. Durable when it resolves; searches see it within a second, or once `searchable` has resolved. */
  abstract write(store: string, language: string, products: EngineProduct[]): Promise<void>;
  /** The learned popularity of products (all channels), null: none, so that what their feed says counts; products not named keep theirs. Seen as a
   * write is. */
  abstract setTrend(store: string, trend: LearnedTrend[]): Promise<void>;
  /** Resolves when searches see what was written before. It is asked for once after many writes, since each call refreshes the index. */
  abstract searchable(store: string): Promise<void>;
  /**
   * Makes the store's index anew from what `fill` writes, beside the one that serves. What is written by others from the time `fill` is called is
   * in both, and so is learned popularity: `fill` writes everything recorded before. `check` looks at what was made; then all searches change
   * over to it at once. Until this resolves, searches find what they found before, and from then on what was written. Where `fill` or
   * `check` fails, nothing has changed. Of two rebuilds at once, the later one is finished. The index before is kept for `INDEX_KEPT_MS`
   * and written to (IndexBefore), unless an older version of the service made it, or `keep` says that it need not be. */
  abstract rebuild(store: string, language: string, fill: FillIndex, options?: RebuildOptions): Promise<void>;
  /** Fails where the index of this store can't be read. */
  abstract status(store: string): Promise<IndexStatus>;
  abstract removeStore(store: string): Promise<void>;
}
