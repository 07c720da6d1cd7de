import { LRUCache } from 'lru-cache';
import { Delayed } from '../../shared/async/delayed';
import { cached } from '../../shared/async/single-flight';
import { type Clock, elapsedBy } from '../../shared/clock';
import { editDistance } from '../../shared/edit-distance';
import { forgivenEdits, isCorrectable } from '../../engine/analysis/edit-distance';
import { normaliseWhole } from '../../engine/analysis/normalise';
import { normaliseQuery } from '../../engine/analysis/tokens';
import { Spelling } from '../reply/spelling';
import { COUNTS_FOR, type Contribution, MOST_SHOPPERS } from './contributions';

/** Between two writes so many different terms are counted; further ones are not. */
const MOST_COUNTED = 5000;
const LONGEST = 100;
const MOST_STORES = 200;
const FRESH_MS = 30_000;
/** Terms kept per store: those leave first that others don't see, of them the least searched. */
export const MOST_TERMS = 20_000;
/** So many are left after a cut, so that cuts are rare. */
export const KEPT_TERMS = 16_000;
/** A prefix is looked for among so many terms: the most searched ones. */
export const MOST_READ = 5000;
/** Words of a query that near ones are looked for. */
const MOST_COMPARED = 8;
/** Names of a store's categories and brands that are offered while few terms were searched. */
export const MOST_NAMES = 500;

/** Searches of a term since the last write, what the last of them found, and by whom they were. */
export interface TermCount {
  term: string;
  searches: number;
  size: number;
  by: Contribution[];
}

/** A query that is offered. */
export interface OfferedText {
  /** Normalised; measures as they were written. */
  query: string;
  /** As the store writes it, where that is known. */
  label?: string;
}

/** A term shoppers of a store have searched, and how many products it found when it was searched last. */
export interface QueryTerm extends OfferedText {
  /** Products it found; unknown of terms that come from names of categories and brands. */
  size?: number;
  /** The one category of this name, where there is one. */
  category?: NamedCategory;
  /** As of an OfferedName. */
  channels?: ReadonlySet<string>;
}

export interface NamedCategory {
  /** As the store gave it. */
  id: string;
  name: string;
}

/** The name of a brand or category, as it is written. */
export interface OfferedName {
  name: string;
  /** Of a category: its id. */
  categoryId?: string;
  /** Sales channels that had products of this name a moment ago, available or not; `*`: all had. Absent: it is not known. */
  channels?: readonly string[];
}

/** A term that a shopper has searched. */
export interface SearchedTerm {
  query: string;
  /** When anybody did so last, epoch ms. */
  last: number;
}

interface Offered {
  terms: QueryTerm[];
  /** Every word's start, to match a prefix against any word; of each term as a whole. */
  padded: string[];
}

/**
 * The terms a store's shoppers search and find something with, to be offered to others once enough shoppers did (`contributions.ts`).
 * Promised: most searched first, ties by name; bounded per store; who was forgotten is in none of them, on no replica, however late it
 * writes; a term is gone 30 days after its last search, or with the last shopper who is kept of it. Not promised: durability of the last
 * seconds. Whoever records leaves out bots and what nobody else may see. Terms are matched in memory against the most searched ones, and
 * written in batches to where an adapter keeps them.
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
    this.offered = new LRUCache({ max: MOST_STORES, ttl: FRESH_MS, perf: { now: () => elapsedBy(clock) } });
  }

  /** Adds to what is kept. Terms of a call differ. `now`: epoch ms. */
  protected abstract add(store: string, counts: TermCount[], now: number): Promise<void>;
  /** At most MOST_READ of those that others may see, the most searched first. */
  protected abstract searched(store: string, now: number): Promise<QueryTerm[]>;
  /** At most MOST_NAMES of the index. */
  protected abstract names(store: string): Promise<OfferedName[]>;
  protected abstract remove(store: string): Promise<void>;
  /** Takes these shoppers (keyed hashes) out of every term; the number of terms they were in. */
  protected abstract erase(store: string, shoppers: string[], now: number): Promise<number>;
  /** The terms these shoppers are kept in. */
  protected abstract of(store: string, shoppers: string[]): Promise<SearchedTerm[]>;
  /** Removes terms of all stores that nobody searched since; epoch ms. The number removed. */
  protected abstract removeUnsearched(since: number): Promise<number>;

  /** Counts one search. Returns at once; written in batches. */
  record(store: string, query: string, { size, by }: { size: number; by: Contribution }): void {
    const term = normaliseQuery(query);
    if (term === '' || term.length > LONGEST || size <= 0) return;
    const counts = this.counted.get(store) ?? new Map<string, TermCount>();
    this.counted.set(store, counts);
    const known = counts.get(term);
    if (!known && counts.size >= MOST_COUNTED) return;
    const searches = (known?.searches ?? 0) + 1;
    counts.set(term, { term, searches, size, by: [...(known?.by ?? []).slice(1 - MOST_SHOPPERS), by] });
    this.flush.schedule();
  }

  /** Terms that start with a prefix, or hold a word that does; an empty prefix: the most searched. Filled up with names of
   * categories and brands where there are few. `allowed`: whether a term may be shown. */
  async matching(
    store: string,
    prefix: string,
    limit: number,
    allowed: (query: string) => boolean = () => true,
  ): Promise<QueryTerm[]> {
    const { terms, padded } = await this.offeredIn(store);
    const start = ` ${normaliseWhole(prefix)}`;
    return firstOf(terms, limit, ({ query }, at) => (start === ' ' || padded[at]?.includes(start)) && allowed(query));
  }

  /** Terms that shoppers searched, the most searched first: no names of categories and brands. */
  async popular(store: string, limit: number, allowed: (query: string) => boolean): Promise<QueryTerm[]> {
    const { terms } = await this.offeredIn(store);
    return firstOf(terms, limit, ({ query, size }) => size !== undefined && allowed(query));
  }

  /** Searched terms with a word that is a typing mistake or two from one of the query's, and names of categories and brands. */
  async near(store: string, query: string, limit: number, allowed: (query: string) => boolean): Promise<QueryTerm[]> {
    const { terms } = await this.offeredIn(store);
    const words = normaliseWhole(query).split(' ').filter(isCorrectable).slice(0, MOST_COMPARED);
    const isNear = (other: string): boolean =>
      isCorrectable(other) &&
      words.some((word) => editDistance(word, other, forgivenEdits(word)) <= forgivenEdits(word));
    return firstOf(terms, limit, ({ query: term }) => term.split(' ').some(isNear) && allowed(term));
  }

  /** Takes these shoppers (keyed hashes) out of every term; the number of terms they were in. */
  async forget(store: string, shoppers: readonly string[]): Promise<number> {
    await this.flush.run();
    const terms = await this.erase(store, [...shoppers], this.clock.now());
    this.offered.delete(store);
    return terms;
  }

  /** The terms these shoppers (keyed hashes) are kept in, by name. */
  async searchedBy(store: string, shoppers: readonly string[]): Promise<SearchedTerm[]> {
    await this.flush.run();
    const terms = await this.of(store, [...shoppers]);
    return terms.toSorted((a, b) => (a.query < b.query ? -1 : 1));
  }

  /** Removes what nobody searched for 30 days; the number of terms. */
  expire(): Promise<number> {
    return this.removeUnsearched(this.clock.now() - COUNTS_FOR);
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
    const [searched, names] = await Promise.all([this.searched(store, this.clock.now()), this.names(store)]);
    const categories = namedOnce(names);
    const labels = new Map<string, string>();
    const channelsOf = new Map<string, Set<string>>();
    for (const { name, channels = [] } of names) {
      const query = normaliseWhole(name);
      if (!labels.has(query)) labels.set(query, name.trim());
      channelsOf.set(query, new Set([...(channelsOf.get(query) ?? []), ...channels]));
    }
    const spelling = new Spelling(names.map(({ name }) => name));
    const named = Array.from(channelsOf, ([query, channels]): QueryTerm => ({ query, channels }));
    const seen = new Set<string>();
    const padded: string[] = [];
    const terms = [...searched, ...named].flatMap((term): QueryTerm[] => {
      const whole = normaliseWhole(term.query);
      if (whole === '' || seen.has(whole)) return [];
      seen.add(whole);
      padded.push(` ${whole}`);
      const label = labels.get(whole) ?? spelling.of(term.query);
      const category = categories.get(whole);
      return [{ ...term, ...(label === term.query ? {} : { label }), ...(category ? { category } : {}) }];
    });
    return { terms, padded };
  }
}

function firstOf(
  terms: readonly QueryTerm[],
  limit: number,
  isWanted: (term: QueryTerm, at: number) => boolean | undefined,
): QueryTerm[] {
  const found: QueryTerm[] = [];
  for (let at = 0; at < terms.length && found.length < limit; at++) {
    const term = terms[at];
    if (term && isWanted(term, at)) found.push(term);
  }
  return found;
}

/** Categories by their name, normalised. A name of several says nothing. */
function namedOnce(names: readonly OfferedName[]): Map<string, NamedCategory> {
  const found = new Map<string, NamedCategory | null>();
  for (const { name, categoryId: id } of names) {
    if (id === undefined) continue;
    const key = normaliseWhole(name);
    const known = found.get(key);
    found.set(key, known === undefined || known?.id === id ? { id, name } : null);
  }
  return new Map([...found].flatMap(([key, category]) => (category ? [[key, category]] : [])));
}
