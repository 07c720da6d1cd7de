import { LRUCache } from 'lru-cache';
import type { CacheInvalidation } from '../../../../documents/cache-invalidation';
import { DocumentConflict, type DocumentKey, type Documents } from '../../../../documents/documents';
import type { SharedCache } from '../../../../documents/shared-cache';
import { SingleFlight } from '../../../../shared/async/single-flight';
import { retry } from '../../../../shared/async/retry';
import { type Due, firstRecord, isDue, isSettled, type LocationRecord } from './location-record';

const KIND = 'search-place';
/** Records of stores that have to be looked at again: so that nobody has to ask of every store. */
const UNSETTLED = 'search-unsettled';
const POOLS = { store: '*', kind: 'search-pools', id: 'stores' };
/** Of a store's place, as long as searches use it without asking. It is asked for anew as soon as any store has moved. Shorter than what was left is kept. */
const FOUND_MS = 30_000;
const MOST_STORES = 10_000;
/** Changes of one record that another process came before. */
const CONFLICTS = { times: 10, pauseMs: 10 };

const keyOf = (store: string): DocumentKey => ({ store, kind: KIND, id: 'place' });
const unsettledKey = (store: string): DocumentKey => ({ store: '*', kind: UNSETTLED, id: store });

interface Known {
  record: LocationRecord | null;
  at: number;
}

/** Where each store is, for everybody who searches and writes. */
export interface Locations {
  /** For a search. Null: nothing was written of the store, or it has an index of its own from a version that knew nothing else. */
  find(store: string, unknownMs: number): Promise<LocationRecord | null>;
  /** Read no longer ago than that. */
  read(store: string, withinMs: number): Promise<LocationRecord | null>;
  /** The first record of a store, or the one another process has made meanwhile. */
  make(store: string, record: LocationRecord): Promise<LocationRecord>;
  /** Changes the newest record; `make` answers null where it can't be, which is answered then, too. */
  change(store: string, make: (record: LocationRecord) => LocationRecord | null): Promise<LocationRecord | null>;
  /** Waits until every replica searches where a store has moved to. */
  tellMoved(): Promise<void>;
  forget(store: string): void;
  remove(store: string): Promise<void>;
  /** Stores with something that is to be given up or deleted by now: what grows or is kept until later costs nothing meanwhile. */
  due(times: Due): Promise<string[]>;
  /** The stores that are in one of these pools, and in which: of all stores each is read. */
  storesIn(pools: ReadonlySet<string>): Promise<Map<string, string>>;
  /** Counts places in pools; the new count. */
  countLocations(by: number): Promise<number>;
}

/** Every store has an index of its own. */
export class NoPools implements Locations {
  private readonly record = firstRecord('own');

  async find(): Promise<LocationRecord> {
    return this.record;
  }

  async read(): Promise<LocationRecord> {
    return this.record;
  }

  async make(): Promise<LocationRecord> {
    return this.record;
  }

  async change(
    _store: string,
    make: (record: LocationRecord) => LocationRecord | null,
  ): Promise<LocationRecord | null> {
    return make(this.record);
  }

  async tellMoved(): Promise<void> {}

  forget(): void {}

  async remove(): Promise<void> {}

  async due(): Promise<string[]> {
    return [];
  }

  async storesIn(): Promise<Map<string, string>> {
    return new Map();
  }

  async countLocations(by: number): Promise<number> {
    return by;
  }
}

/**
 * Where each store is: a document for each, read when the store is searched or written to and remembered. No alias: the state of the cluster would
 * grow with the stores.
 */
export class LocationDirectory implements Locations {
  private readonly known = new LRUCache<string, Known>({ max: MOST_STORES });
  private readonly reads = new SingleFlight<LocationRecord | null>();
  private readonly moves: SharedCache | null;
  /** What was read before that may have changed since. */
  private clearedAt = -Infinity;

  /** `caches` absent: what another process moves is found out when what is known is old. */
  constructor(
    private readonly documents: Documents,
    caches?: Pick<CacheInvalidation, 'cache'>,
  ) {
    this.moves = caches?.cache('search-places', async () => this.forgetAll()) ?? null;
  }

  find(store: string, unknownMs: number): Promise<LocationRecord | null> {
    return this.newerThan(store, ({ record }) => (record ? FOUND_MS : unknownMs));
  }

  read(store: string, withinMs: number): Promise<LocationRecord | null> {
    return this.newerThan(store, () => withinMs);
  }

  private async newerThan(store: string, longest: (known: Known) => number): Promise<LocationRecord | null> {
    const known = this.known.get(store);
    if (known && performance.now() - known.at < longest(known)) return known.record;
    return this.reads.run(store, async () => {
      const at = performance.now();
      const record = await this.stored(store);
      this.remember(store, { record, at });
      return record;
    });
  }

  private async stored(store: string): Promise<LocationRecord | null> {
    return (await this.documents.get<LocationRecord>(keyOf(store)))?.body ?? null;
  }

  /** A read that began before a change does not replace what is known of the change. */
  private remember(store: string, known: Known): void {
    if (known.at < this.clearedAt || known.at < (this.known.peek(store)?.at ?? 0)) return;
    this.known.set(store, known);
  }

  private forgetAll(): void {
    this.clearedAt = performance.now();
    this.known.clear();
  }

  async make(store: string, record: LocationRecord): Promise<LocationRecord> {
    try {
      await this.documents.put([{ ...keyOf(store), body: record, expectedVersion: 0 }]);
    } catch (error) {
      if (!(error instanceof DocumentConflict)) throw error;
    }
    const made = (await this.stored(store)) ?? record;
    this.remember(store, { record: made, at: performance.now() });
    return made;
  }

  async change(store: string, make: (record: LocationRecord) => LocationRecord | null): Promise<LocationRecord | null> {
    const attempt = async (): Promise<LocationRecord | null> => {
      const found = await this.documents.get<LocationRecord>(keyOf(store));
      const changed = found && make(found.body);
      if (!found || !changed) return null;
      if (changed !== found.body) {
        const puts = [{ ...keyOf(store), body: changed, expectedVersion: found.version }];
        const note = isSettled(changed) ? [] : [{ ...unsettledKey(store), body: changed }];
        await this.documents.put([...puts, ...note]);
      }
      if (isSettled(changed)) await this.documents.remove(unsettledKey(store));
      this.remember(store, { record: changed, at: performance.now() });
      return changed;
    };
    return retry(attempt, { ...CONFLICTS, again: (error) => error instanceof DocumentConflict });
  }

  async tellMoved(): Promise<void> {
    await this.moves?.invalidate();
    await this.moves?.seenByAll();
  }

  forget(store: string): void {
    this.known.delete(store);
  }

  async remove(store: string): Promise<void> {
    await this.documents.remove(unsettledKey(store));
    this.forget(store);
  }

  async due(times: Due): Promise<string[]> {
    const noted = await this.documents.list<LocationRecord | null>({ kind: UNSETTLED, store: '*' });
    // Versions before noted the store alone.
    return noted.flatMap(({ id, body }) => (body === null || isDue(body, times) ? [id] : []));
  }

  async storesIn(pools: ReadonlySet<string>): Promise<Map<string, string>> {
    if (pools.size === 0) return new Map();
    const records = await this.documents.list<LocationRecord>({ kind: KIND });
    return new Map(
      records.flatMap(({ store, body: { serving } }): [string, string][] =>
        serving !== 'own' && pools.has(serving.pool) ? [[store, serving.pool]] : [],
      ),
    );
  }

  countLocations(by: number): Promise<number> {
    return this.documents.increment(POOLS, by);
  }
}
