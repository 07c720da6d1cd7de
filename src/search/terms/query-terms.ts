import { LRUCache } from 'lru-cache';
import { Delayed } from '../../shared/async/delayed';
import { cached } from '../../shared/async/single-flight';
import type { Clock } from '../../shared/clock';
import { normaliseWhole } from '../../engine/analysis/normalise';

/** Between two writes so many different terms are counted; further ones are not. */
const MOST_COUNTED = 5000;
const LONGEST = 100;
const MOST_STORES = 200;
const FRESH_MS = 30_000;
/** Terms kept per store: the least searched leave first. */
export const MOST_TERMS = 20_000;
/** So many are left after a cut, so that cuts are rare. */
export const KEPT_TERMS = 16_000;
/** A prefix is looked for among so many terms: the most searched ones. */
export const MOST_READ = 5000;
/** Names of a store's categories and brands that are offered while few terms were searched. */
export const MOST_NAMES = 500;

/** Searches of a term since the last write, and what the last of them found. */
export interface TermCount {
  term: string;
  searches: number;
  size: number;
}

/** A term shoppers of a store have searched, normalised, and how many products it found when it was searched last. */
export interface QueryTerm {
  query: string;
  /** Products it found; unknown of terms that come from names of categories and brands. */
  size?: number;
}

interface Offered {
  terms: QueryTerm[];
  /** Every word's start, to match a prefix against any word. */
  padded: string[];
}

/**
 * The terms a store's shoppers search and find something with, to be offered to others. Promised: most searched first, ties
 * by name; bounded per store. Not promised: durability of the last seconds. Whoever records leaves bots out. Terms are matched in
 * memory against the most searched ones, and written in batches to where an adapter keeps them.
 */
export abstract class QueryTerms {
  private readonly counted = new Map<string, Map<string, TermCount>>();
  private readonly offered: LRUCache<string, Promise<Offered>>;
  private readonly flush: Delayed;

  /** `flushMs`: how long searches are counted. */
  constructor(
    private readonly clock: Clock,
    flushMs: number,
  ) {
    this.flush = new Delayed(flushMs, () => this.write());
    this.offered = new LRUCache({ max: MOST_STORES, ttl: FRESH_MS, perf: { now: () => clock.now() } });
  }

  /** Adds to what is kept. Terms of a call differ. `now`: epoch ms. */
  protected abstract add(store: string, counts: TermCount[], now: number): Promise<void>;
  /** At most MOST_READ, the most searched first. */
  protected abstract searched(store: string): Promise<QueryTerm[]>;
  /** At most MOST_NAMES names of categories and brands of the index, as they are written. */
  protected abstract names(store: string): Promise<string[]>;
  protected abstract remove(store: string): Promise<void>;

  /** Counts one search. Returns at once; written in batches. */
  record(store: string, query: string, size: number): void {
    const term = normaliseWhole(query);
    if (term === '' || term.length > LONGEST || size <= 0) return;
    const counts = this.counted.get(store) ?? new Map<string, TermCount>();
    this.counted.set(store, counts);
    const known = counts.get(term);
    if (!known && counts.size >= MOST_COUNTED) return;
    counts.set(term, { term, searches: (known?.searches ?? 0) + 1, size });
    this.flush.schedule();
  }

  /** Terms that start with a prefix, or hold a word that does; an empty prefix: the most searched. Filled up with names of
   * categories and brands where there are few. */
  async matching(store: string, prefix: string, limit: number): Promise<QueryTerm[]> {
    const { terms, padded } = await this.offeredIn(store);
    const start = ` ${normaliseWhole(prefix)}`;
    const found: QueryTerm[] = [];
    for (let index = 0; index < terms.length && found.length < limit; index++) {
      const term = terms[index];
      if (term && (start === ' ' || padded[index]?.includes(start))) found.push(term);
    }
    return found;
  }

  /** Forgets a store's terms. */
  async removeStore(store: string): Promise<void> {
    this.counted.delete(store);
    await this.remove(store);
    this.offered.delete(store);
  }

  /** Writes what was counted. Where the storage does not answer, the last seconds are lost, and the process still ends. */
  async close(): Promise<void> {
    await this.flush.run().catch(() => undefined);
  }

  private async write(): Promise<void> {
    const batches = [...this.counted];
    this.counted.clear();
    const now = this.clock.now();
    await Promise.all(
      batches.map(async ([store, counts]) => {
        await this.add(store, [...counts.values()], now);
        this.offered.delete(store);
      }),
    );
  }

  private offeredIn(store: string): Promise<Offered> {
    return cached(this.offered, store, () => this.read(store));
  }

  private async read(store: string): Promise<Offered> {
    const [searched, names] = await Promise.all([this.searched(store), this.names(store)]);
    const named = names.map((name): QueryTerm => ({ query: normaliseWhole(name) }));
    const seen = new Set<string>();
    const terms = [...searched, ...named].filter(({ query }) => query !== '' && !seen.has(query) && seen.add(query));
    return { terms, padded: terms.map(({ query }) => ` ${query}`) };
  }
}
