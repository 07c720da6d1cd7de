import { Injectable, Logger } from '@nestjs/common';
import type { ValueKind } from '../../engine/facets';
import { Batcher } from '../../shared/async/batcher';
import { cached } from '../../shared/async/single-flight';
import { TooLate, within } from '../../shared/async/within';
import { type DocumentKey, DocumentConflict, Documents } from '../../documents/documents';

/** What an id stands for: `filter:brand`, `brand:acme`, `category:shoes/running`, `spec.size:40`, `unit:BRL`. */
export type FacetKey = `${'filter' | 'unit' | ValueKind}:${string}`;

const KIND = 'facet';
const COUNTER = { kind: 'counter', id: 'facet' };
/** Written before new ids are handed out, so that one read tells another replica whether there are any. */
const changesKey = (store: string): DocumentKey => ({ store, kind: 'facets', id: 'changes' });
const MAX_ID = 2 ** 31 - 1;
/** Milliseconds until ids are looked for that nobody told of: their process ended before it could. */
const LOADED_FOR = 1000;
/** Of the time that somebody still waits, what a reply waits for new ids. The rest is for the reply itself. */
const WAIT_SHARE = 0.8;

interface Registered {
  ids: Map<FacetKey, number>;
  keys: Map<number, FacetKey>;
  /** The version of the changes that are in it for sure. */
  changes: number;
  allotting: Batcher<FacetKey[], void>;
}

/**
 * Numbers facets and their values: positive 32-bit integers, unique over a store, allotted once and kept for good, so
 * that a link a shopper saved still means the same after a reindex or a restart. Never a hash: hashes collide.
 */
@Injectable()
export class FacetRegistry {
  private readonly stores = new Map<string, Promise<Registered>>();
  private readonly loadedAt = new Map<string, number>();
  /** Stores whose trouble has been told. */
  private readonly failing = new Set<string>();
  private readonly logger = new Logger('Search');

  constructor(private readonly documents: Documents) {}

  /** The id of each key; allots the missing ones. */
  async idsFor(store: string, keys: FacetKey[]): Promise<Map<FacetKey, number>> {
    const registered = await this.load(store);
    const left = missing(registered, keys);
    if (left.length > 0) await registered.allotting.add(left);
    return registered.ids;
  }

  /**
   * The same, but where nothing can be written the missing ones stay without, and so do those that are not written until `until`
   * (`performance.now()`), which later searches have: no search fails for an id that can't be kept, or not yet.
   */
  async idsKnown(store: string, keys: FacetKey[], until: number): Promise<Map<FacetKey, number>> {
    // Where even those that are there can't be read, the search fails.
    const { ids } = await this.load(store);
    try {
      const waitMs = Math.max(0, until - performance.now()) * WAIT_SHARE;
      await within(waitMs, this.idsFor(store, keys), () => new TooLate('their ids were not kept in time'));
      this.failing.delete(store);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (!this.failing.has(store)) this.logger.warn(`New values of filters are left out of replies: ${why}`);
      this.failing.add(store);
    }
    return ids;
  }

  /** What an id stands for; undefined where it was never registered. */
  async keyOf(store: string, id: number): Promise<FacetKey | undefined> {
    const known = (await this.load(store)).keys.get(id);
    return known ?? (await this.loadNewer(store)).keys.get(id);
  }

  /** True where the value has an id. */
  async knows(store: string, key: FacetKey): Promise<boolean> {
    return (await this.load(store)).ids.has(key) || (await this.loadNewer(store)).ids.has(key);
  }

  /** Called when a store is gone. */
  forget(store: string): void {
    this.stores.delete(store);
    this.loadedAt.delete(store);
  }

  /** Another replica may have registered it a moment ago. An unknown id costs one read of a document, and of all of them once a second. */
  private async loadNewer(store: string): Promise<Registered> {
    const known = await this.load(store);
    if (!this.documents.shared) return known;
    const isOld = performance.now() - (this.loadedAt.get(store) ?? 0) >= LOADED_FOR;
    const isBehind = isOld || (await this.changesOf(store)) !== known.changes;
    // Not where somebody else has begun to read them anew meanwhile.
    if (isBehind && (await this.stores.get(store)) === known) this.forget(store);
    return this.load(store);
  }

  private async changesOf(store: string): Promise<number> {
    return (await this.documents.get(changesKey(store)))?.version ?? 0;
  }

  private load(store: string): Promise<Registered> {
    return cached(this.stores, store, () => {
      this.loadedAt.set(store, performance.now());
      return this.read(store);
    });
  }

  private async read(store: string): Promise<Registered> {
    const changes = this.documents.shared ? await this.changesOf(store) : 0;
    // Searches that find the same new ones share the numbers, and one that comes meanwhile waits for the next turn, with all others.
    const allotting: Registered['allotting'] = new Batcher<FacetKey[], void>({
      send: async (calls) => {
        const left = missing(
          registered,
          calls.flatMap(({ item }) => item),
        );
        if (left.length > 0) await this.allot(store, registered, left);
        for (const { resolve } of calls) resolve();
      },
    });
    const registered: Registered = { ids: new Map(), keys: new Map(), changes, allotting };
    for (const { id, body } of await this.documents.list<{ id: number }>({ kind: KIND, store })) {
      remember(registered, id as FacetKey, body.id);
    }
    return registered;
  }

  /** None of them is handed out before other replicas can know that there are new ones. */
  private async allot(store: string, registered: Registered, keys: FacetKey[]): Promise<void> {
    const last = await this.documents.increment({ store, ...COUNTER }, keys.length);
    if (last > MAX_ID) throw new Error('All facet ids of this store are used up');
    const first = last - keys.length + 1;
    const ids = await Promise.all(keys.map((key, index) => this.register(store, key, first + index)));
    if (this.documents.shared) await this.documents.put([{ ...changesKey(store), body: null }]);
    keys.forEach((key, index) => remember(registered, key, ids[index]!));
  }

  /** The first to write a key decides its number; a number that lost the race stays unused. */
  private async register(store: string, key: FacetKey, id: number): Promise<number> {
    const document = { store, kind: KIND, id: key };
    try {
      await this.documents.put([{ ...document, body: { id }, expectedVersion: 0 }]);
      return id;
    } catch (error) {
      if (!(error instanceof DocumentConflict)) throw error;
      return (await this.documents.get<{ id: number }>(document))?.body.id ?? id;
    }
  }
}

/** Keys that have no id yet, each once. */
const missing = ({ ids }: Registered, keys: readonly FacetKey[]): FacetKey[] => [
  ...new Set(keys.filter((key) => !ids.has(key))),
];

function remember(registered: Registered, key: FacetKey, id: number): void {
  registered.ids.set(key, id);
  registered.keys.set(id, key);
}
