import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../clock';
import type { EmbeddedDatabase } from '../../../../storage/embedded-database';
import type { Calls } from '../../../../storage/procedures';
import { normaliseWhole } from '../../../analysis/fold';
import { QueryTerms, type QueryTerm } from '../../query-terms';
import type { procedures, TermCount } from './query-terms.procedures';

const FLUSH_MS = 1000;
/** Different terms gathered between two writes; what comes beyond is not counted. */
const MOST_GATHERED = 5000;
const LONGEST = 100;
const MOST_STORES = 200;
const FRESH_MS = 30_000;
/** Names of a store's categories and brands that are offered while few terms were searched. */
const MOST_NAMES = 500;
/** Terms looked at for a prefix: the most searched ones. */
const MOST_READ = 5000;

interface Offered {
  terms: QueryTerm[];
  /** Every word's start, to match a prefix against any word. */
  padded: string[];
}

/** Query terms in the embedded database, matched in memory against the most searched ones. */
export class EmbeddedQueryTerms extends QueryTerms {
  private readonly gathered = new Map<string, Map<string, TermCount>>();
  private readonly offered: LRUCache<string, Offered>;
  private readonly call: Calls<typeof procedures>;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly clock: Clock,
  ) {
    super();
    this.call = database.writer.calls<typeof procedures>();
    this.offered = new LRUCache({ max: MOST_STORES, ttl: FRESH_MS, perf: { now: () => clock.now() } });
  }

  override record(store: string, query: string, size: number): void {
    const term = normaliseWhole(query);
    if (term === '' || term.length > LONGEST || size <= 0) return;
    const counts = this.gathered.get(store) ?? new Map<string, TermCount>();
    this.gathered.set(store, counts);
    const known = counts.get(term);
    if (!known && counts.size >= MOST_GATHERED) return;
    counts.set(term, { term, searches: (known?.searches ?? 0) + 1, size });
    this.timer ??= setTimeout(() => void this.flush().catch(() => undefined), FLUSH_MS).unref();
  }

  override async matching(store: string, prefix: string, limit: number): Promise<QueryTerm[]> {
    const { terms, padded } = this.offeredIn(store);
    const start = ` ${normaliseWhole(prefix)}`;
    const found: QueryTerm[] = [];
    for (let place = 0; place < terms.length && found.length < limit; place++) {
      const term = terms[place];
      if (term && (start === ' ' || padded[place]?.includes(start))) found.push(term);
    }
    return found;
  }

  override async removeStore(store: string): Promise<void> {
    this.gathered.delete(store);
    await this.call('queryTerms.removeStore', store);
    this.offered.delete(store);
  }

  override async close(): Promise<void> {
    await this.flush();
  }

  private async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const batches = [...this.gathered];
    this.gathered.clear();
    const now = this.clock.now();
    await Promise.all(
      batches.map(async ([store, counts]) => {
        await this.call('queryTerms.record', { store, counts: [...counts.values()], now });
        this.offered.delete(store);
      }),
    );
  }

  private offeredIn(store: string): Offered {
    let offered = this.offered.get(store);
    if (!offered) {
      const terms = [...this.searched(store), ...this.names(store)];
      const seen = new Set<string>();
      const unique = terms.filter(({ query }) => query !== '' && !seen.has(query) && seen.add(query));
      offered = { terms: unique, padded: unique.map(({ query }) => ` ${query}`) };
      this.offered.set(store, offered);
    }
    return offered;
  }

  private searched(store: string): QueryTerm[] {
    const sql = 'SELECT term, size FROM query_term WHERE store = ? ORDER BY searches DESC, term LIMIT ?';
    return this.database.reader
      .all(sql, store, MOST_READ)
      .map(([term, size]) => ({ query: String(term), size: Number(size) }));
  }

  /** Category and brand names of the index, folded. */
  private names(store: string): QueryTerm[] {
    const sql = 'SELECT term FROM engine_term WHERE store = ? AND named = 1 ORDER BY id LIMIT ?';
    return this.database.reader.all(sql, store, MOST_NAMES).map(([term]) => {
      const text = String(term);
      const entry = JSON.parse(text.slice(1)) as string[];
      return { query: normaliseWhole(entry[text.startsWith('b') ? 1 : 2] ?? '') };
    });
  }
}
