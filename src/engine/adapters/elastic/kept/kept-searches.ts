import { LRUCache } from 'lru-cache';
import type { Metrics } from '../../../../http/health/metrics';
import type { BoostTemplate } from '../../../../ranking/template/template';
import { qualityTime } from '../../../../ranking/quality';
import { digestOf } from '../../../../shared/digest';
import type { EngineQuery } from '../../../search-engine';
import { bytesOf, type KeptList } from './kept-list';
import { ProductTable } from './product-table';

/** A query asked twice within this time is worth keeping. */
const ASKED_AGAIN_MS = 60_000;
const MOST_ASKED = 20_000;
/** How long a list is kept that nobody asks for, and at the most, whatever the version says. */
const KEPT_MS = 600_000;
const MOST_STORES = 1000;

/** Of the memory, what the lists may take; the rest is for the products they name. */
const LISTS_SHARE = 1 / 3;
/** Of that, what lists without hits may take: facets of stores with thousands of categories, which drive nobody's hits out. */
const COUNTS_SHARE = 1 / 4;
const KEPT_BYTES = 96_000_000;

interface StoreState {
  version: string;
  /** Keys of its lists. */
  keys: Set<string>;
}

/** A query that could be answered from a list. */
export interface KeptSearch {
  key: string;
  list: KeptList | undefined;
  /** It was asked before, of the same version. */
  isAskedAgain: boolean;
}

/**
 * Hits of neutral queries that were asked again within the minute, until the index is another one: so many bytes of them, those asked for
 * least recently dropped first. Products that several queries find are kept once.
 */
export class KeptSearches {
  private readonly lists: LRUCache<string, KeptList>;
  /** Lists without hits. */
  private readonly counts: LRUCache<string, KeptList>;
  /** Keys of lists. */
  private readonly keys = new WeakMap<KeptList, string>();
  private readonly tables: LRUCache<string, ProductTable>;
  private readonly asked = new LRUCache<string, string>({ max: MOST_ASKED, ttl: ASKED_AGAIN_MS });
  private readonly stores = new LRUCache<string, StoreState>({
    max: MOST_STORES,
    dispose: (state) => this.drop(state),
  });
  /** Searches that were answered from a list. */
  answered = 0;
  /** Lists that were read from the index. */
  private read = 0;

  constructor(bytes = KEPT_BYTES) {
    const lists = Math.max(1, Math.floor(bytes * LISTS_SHARE));
    const counts = Math.max(1, Math.floor(lists * COUNTS_SHARE));
    this.lists = new LRUCache({ maxSize: Math.max(1, lists - counts), sizeCalculation: bytesOf, ttl: KEPT_MS });
    this.counts = new LRUCache({ maxSize: counts, sizeCalculation: bytesOf, ttl: KEPT_MS });
    this.tables = new LRUCache({
      maxSize: Math.max(1, bytes - lists),
      sizeCalculation: (table) => Math.max(1, table.bytes),
      // Lists go with the products they name.
      dispose: (_table, store, reason) => {
        if (reason === 'evict') this.forget(store);
      },
    });
  }

  get bytes(): number {
    return this.lists.calculatedSize + this.counts.calculatedSize + this.tables.calculatedSize;
  }

  watch(metrics: Metrics): void {
    metrics.gauge('search_kept_bytes', 'Memory for the hits of queries that are asked again, about.', () => this.bytes);
    metrics.counter(
      'search_kept_total',
      'Searches answered from kept hits or counts, and how often those were read to be kept.',
      {
        kinds: ['answered', 'read'],
        count: (kind) => this[kind],
      },
    );
  }

  /** `version`: of the index as it is now. `generation`: of the numbers that scores are computed with. */
  of(query: EngineQuery, version: string, generation: number): KeptSearch {
    const { store } = query.plan;
    const state = this.stateOf(store, version);
    const key = keyOf(query, generation);
    const list = state.version === version ? this.cacheOf(key).get(key) : undefined;
    const isAskedAgain = this.asked.get(key) === version;
    this.asked.set(key, version);
    return { key, list, isAskedAgain };
  }

  /** Of the index that a version is of. */
  tableOf(store: string): ProductTable {
    let table = this.tables.get(store);
    if (!table) this.tables.set(store, (table = new ProductTable()));
    return table;
  }

  keep(store: string, key: string, list: KeptList): void {
    this.read++;
    const state = this.stores.get(store);
    if (state?.version !== list.version || this.tables.peek(store) !== list.table) return;
    const cache = this.cacheOf(key);
    // A list that is there would keep its size.
    cache.delete(key);
    cache.set(key, list);
    state.keys.add(key);
    this.keys.set(list, key);
    // Its size is another one now.
    this.tables.delete(store);
    this.tables.set(store, list.table);
    if (!this.tables.has(store)) this.forget(store);
  }

  /** A list that may be kept has got more facets: it takes more memory now, for as long as it would have been there. */
  hasGrown(list: KeptList): void {
    const key = this.keys.get(list);
    if (key === undefined) return;
    const cache = this.cacheOf(key);
    if (cache.peek(key) !== list) return;
    const ttl = Math.max(1, cache.getRemainingTTL(key));
    cache.delete(key);
    cache.set(key, list, { ttl });
  }

  /** When the index is another one, or none. */
  forget(store: string): void {
    this.stores.delete(store);
    this.tables.delete(store);
  }

  private stateOf(store: string, version: string): StoreState {
    const known = this.stores.get(store);
    if (known?.version === version) return known;
    if (known && !follows(known.version, version)) this.tables.delete(store);
    // What it had is dropped.
    const state = { version, keys: new Set<string>() };
    this.stores.set(store, state);
    return state;
  }

  private drop({ keys }: StoreState): void {
    for (const key of keys) this.cacheOf(key).delete(key);
  }

  private cacheOf(key: string): LRUCache<string, KeptList> {
    return key.startsWith(COUNTS) ? this.counts : this.lists;
  }
}

/** Whether both are of one index: its documents are those known, or have higher sequence numbers. */
function follows(before: string, version: string): boolean {
  const [index, seqNo] = before.split(' ');
  const [nextIndex, nextSeqNo] = version.split(' ');
  return index === nextIndex && Number(nextSeqNo) >= Number(seqNo);
}

const templateKeys = new WeakMap<BoostTemplate, string>();

/** What of a template acts on the neutral order. */
function templateKey(template: BoostTemplate): string {
  let key = templateKeys.get(template);
  if (key === undefined) {
    const { fields, text, about, signals, maxQuality, maxBoost } = template;
    templateKeys.set(template, (key = digestOf(fields, text, about, signals, maxQuality, maxBoost)));
  }
  return key;
}

/** Begins keys of lists without hits. */
const COUNTS = 'counts ';

/** All that decides which hits there are in which neutral order. */
function keyOf({ plan, template }: EngineQuery, generation: number): string {
  const { store, channels, language, match, filters, availableOnly, rules, now } = plan;
  const parts = [channels, language, match, filters, availableOnly, rules, qualityTime(now)];
  const digest = digestOf(store, templateKey(template), generation, ...parts);
  return isCounted(plan) ? `${COUNTS}${digest}` : digest;
}

/** Hits are counted alone: of such a query a list has none, whatever its order. */
export const isCounted = ({ size }: EngineQuery['plan']): boolean => size === 0;

/** Whether hits are in an order that a list can have. A taste in prices is computed by the index. */
export function isKeepable({ plan, boosts }: EngineQuery): boolean {
  const { sortBy, match, only } = plan;
  if (match.kind === 'ids' || only !== undefined) return false;
  return isCounted(plan) || (sortBy === 'relevance' && !boosts?.prices);
}
