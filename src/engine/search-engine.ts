import type { Boosts } from '../ranking/affinity';
import type { Explanation } from '../ranking/score';
import type { BoostTemplate } from '../ranking/template';
import type { SignalFields } from '../ranking/signals';
import type { FacetFields, FacetKind, RangeKind, ValueKind } from './facets';
import type { QueryPlan } from './plan/query-plan';
import type { PriceRange } from './price-ranges';

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
  tier: 'exact' | 'all' | 'some' | null;
  /** Only where asked. */
  explanation?: Explanation;
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

export type Facet =
  | { kind: ValueKind; values: FacetValue[] }
  /** Edges of ranges over all hits, and how many hits each range holds. */
  | { kind: RangeKind; ranges: PriceRange[] };

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
  /** One for each kind asked; a facet's counts ignore its own selection. */
  facets: Partial<Record<FacetKind, Facet>>;
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

/** A normalised word to look up. `correct: false`: near words are not needed. */
export interface WordRequest {
  word: string;
  stem: string;
  correct?: boolean;
}

export interface WordsRequest {
  words: WordRequest[];
  /** As of an EngineQuery. */
  until?: number | undefined;
}

export interface WordAnswer {
  /** Products the word or another word of its stem occurs in. */
  documents: number;
  near: NearWord[];
}

/** A word of the index that may be what was meant. */
export interface NearWord {
  word: string;
  distance: number;
  /** Products it occurs in. */
  documents: number;
}

/** Serving state: products searchable, and the highest version indexed. */
export interface IndexStatus {
  documents: number;
  version: number;
  /** Made by an older version of the service, or not known to hold everything: it should be rebuilt. */
  outdated: boolean;
  /** It was there, and is no more: only a rebuild brings it back. */
  gone?: boolean;
}

/** Writes every product of a store through `write`. */
export type FillIndex = (write: (products: EngineProduct[]) => Promise<void>) => Promise<void>;

/**
 * Finds and orders products. Documents written are searchable when `write` resolves or within a second after. The order
 * is the formula of docs/ranking.md: tiers, then text × quality × personal, ties by product id; it is the same for the
 * same index, plan, template and boosts. Once `until` is over, a search or look-up is not begun, or given up, and fails with
 * `unavailable`. Stores take turns. Hidden: how candidates are found. Left out: records (CatalogRecords),
 * understanding of words (plan/), which boosts (ranking/).
 */
export abstract class SearchEngine {
  abstract search(query: EngineQuery): Promise<EngineResult>;
  /** For each normalised word: the number of products it (or its stem) occurs in, and, where that is 0, near words within the usual edit
   * distance (0 up to 2 letters, 1 up to 5, else 2; same first letter). Near words are looked up for the first `MOST_CORRECTED` such words of a
   * request that have no digit, and as far as its share of the engine's time goes. */
  abstract words(store: string, request: WordsRequest): Promise<WordAnswer[]>;
  /** Replaces all documents of each product by the ones given (none: it leaves the index). A version older than the
   * indexed one is ignored. */
  abstract write(store: string, language: string, products: EngineProduct[]): Promise<void>;
  /** The learned popularity of products (all channels); products not named keep theirs. */
  abstract setTrend(store: string, trend: [productId: string, value: number][]): Promise<void>;
  /**
   * Makes the store's index anew from what `fill` writes. What is written by others from the time `fill` is called is kept, and so is
   * learned popularity: `fill` writes everything recorded before. Searches find everything meanwhile. When this resolves,
   * they find what was written. Where `fill` fails, the index stays as it was. Of two rebuilds at once, the later one is finished.
   */
  abstract rebuild(store: string, language: string, fill: FillIndex): Promise<void>;
  /** Fails where the index of this store can't be read. */
  abstract status(store: string): Promise<IndexStatus>;
  abstract removeStore(store: string): Promise<void>;
}
