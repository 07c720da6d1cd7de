import { isDeepStrictEqual } from 'node:util';
import { Mutex } from '../shared/async/mutex';
import type { CacheInvalidation } from './cache-invalidation';
import type { Documents } from './documents';
import type { SharedCache } from './shared-cache';

export interface HeldKind {
  /** Of the cache, as jobs name it that wait for a change. */
  cache: string;
  kind: string;
}

/**
 * The documents of one kind, held in memory by store and id, so that whoever needs them asks nobody. A change is durable before it shows, and
 * is answered when every replica has seen it. A body stays the same object until it is changed, so that what is made of it can be kept beside
 * it.
 */
export class HeldDocuments<Body extends object> {
  private stores = new Map<string, ReadonlyMap<string, Body>>();
  private readonly versions = new WeakMap<Body, number>();
  private readonly cache: SharedCache;
  private readonly mutex = new Mutex();
  private readonly none: ReadonlyMap<string, Body> = new Map();
  private readonly kind: string;

  constructor(
    private readonly documents: Documents,
    invalidation: Pick<CacheInvalidation, 'cache'>,
    { cache, kind }: HeldKind,
  ) {
    this.kind = kind;
    this.cache = invalidation.cache(cache, () => this.load());
  }

  /** Reads all of them for the first time. */
  open(): Promise<void> {
    return this.cache.open();
  }

  /** Those of a store by id. Every change makes another map. */
  of(store: string): ReadonlyMap<string, Body> {
    return this.stores.get(store) ?? this.none;
  }

  get(store: string, id: string): Body | undefined {
    return this.stores.get(store)?.get(id);
  }

  /** Of the stored document; 0: there is none. */
  version(store: string, id: string): number {
    const body = this.get(store, id);
    return (body && this.versions.get(body)) ?? 0;
  }

  /** Makes or replaces one. `make` decides on what is newest, and again where another process came before it. */
  async put(store: string, id: string, make: () => Body): Promise<Body> {
    const made = await this.mutex.run(() =>
      this.cache.retryOnConflict(async () => {
        const body = make();
        const [version = 0] = await this.cache.put([{ store, kind: this.kind, id, body }]);
        this.hold(store, (all) => all.set(id, body));
        this.versions.set(body, version);
        return body;
      }),
    );
    await this.cache.seenByAll();
    return made;
  }

  /** False: there was none. */
  async remove(store: string, id: string): Promise<boolean> {
    const removed = await this.mutex.run(async () => {
      if (this.get(store, id) === undefined) return false;
      await this.documents.remove({ store, kind: this.kind, id });
      await this.cache.invalidate();
      this.hold(store, (all) => all.delete(id));
      return true;
    });
    if (removed) await this.cache.seenByAll();
    return removed;
  }

  /** Of a store that is erased: its documents go with all others. */
  forget(store: string): void {
    this.stores.delete(store);
  }

  private hold(store: string, change: (all: Map<string, Body>) => unknown): void {
    const all = new Map(this.of(store));
    change(all);
    this.stores.set(store, all);
  }

  private async load(): Promise<void> {
    const documents = await this.documents.list<Body>({ kind: this.kind });
    const stores = new Map<string, Map<string, Body>>();
    for (const { store, id, body, version } of documents) {
      const known = this.get(store, id);
      const held = known !== undefined && isDeepStrictEqual(known, body) ? known : body;
      this.versions.set(held, version);
      stores.set(store, (stores.get(store) ?? new Map<string, Body>()).set(id, held));
    }
    this.stores = stores;
  }
}
