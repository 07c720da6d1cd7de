import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CacheInvalidation } from '../../documents/cache-invalidation';
import { type DocumentKey, Documents } from '../../documents/documents';
import type { SharedCache } from '../../documents/shared-cache';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { StoreErasure } from '../../stores/store-erasure';
import {
  type Banner,
  type Hotsite,
  type MerchandisingKind,
  type MerchandisingView,
  type Redirect,
  type Rule,
  type Synonym,
} from './merchandising-schemas';

const KIND = 'merchandising';
const keyOf = (store: string, id: MerchandisingKind): DocumentKey => ({ store, kind: KIND, id });

/** The list of each kind. */
export interface Entries {
  synonyms: readonly Synonym[];
  redirects: readonly Redirect[];
  rules: readonly Rule[];
  hotsites: readonly Hotsite[];
  banners: readonly Banner[];
}

interface Stored {
  entries: readonly unknown[];
  updatedAt: string;
}

interface Held extends Stored {
  version: number;
}

type OfStore = ReadonlyMap<MerchandisingKind, Held>;

const nothing: readonly never[] = [];
const none: OfStore = new Map();

/**
 * What merchandisers set down for their stores: synonyms, redirects, rules, hotsites, banners. It is held in memory, so that a search asks
 * nobody; a change is durable before it shows, and is answered when every replica has seen it. A list stays the same object until it is
 * changed, so that what is made of it can be kept beside it.
 */
@Injectable()
export class Merchandising implements OnModuleInit {
  private readonly stores = new Map<string, OfStore>();
  private readonly cache: SharedCache;

  constructor(
    private readonly documents: Documents,
    invalidation: CacheInvalidation,
    private readonly clock: Clock,
    erasure: StoreErasure,
  ) {
    this.cache = invalidation.cache('merchandising', () => this.load());
    // The documents go with the other ones of the store.
    erasure.add('merchandising', async (store) => void this.stores.delete(store));
  }

  async onModuleInit(): Promise<void> {
    await this.cache.open();
  }

  of<K extends MerchandisingKind>(store: string, kind: K): Entries[K] {
    return (this.stores.get(store)?.get(kind)?.entries ?? nothing) as Entries[K];
  }

  view({ id }: Store, kind: MerchandisingKind): MerchandisingView {
    const held = this.stores.get(id)?.get(kind);
    return { [kind]: held?.entries ?? [], version: held?.version ?? 0, updatedAt: held?.updatedAt ?? null };
  }

  /** Replaces the whole list. */
  async put<K extends MerchandisingKind>({ id: store }: Store, kind: K, entries: Entries[K]): Promise<void> {
    const stored: Stored = { entries, updatedAt: new Date(this.clock.now()).toISOString() };
    const [version = 0] = await this.cache.retryOnConflict(() =>
      this.cache.put([{ ...keyOf(store, kind), body: stored }]),
    );
    this.stores.set(store, new Map([...(this.stores.get(store) ?? none), [kind, { ...stored, version }]]));
    await this.cache.seenByAll();
  }

  private async load(): Promise<void> {
    const documents = await this.documents.list<Stored>({ kind: KIND });
    const before = new Map(this.stores);
    this.stores.clear();
    for (const { store, id, body, version } of documents) {
      const kind = id as MerchandisingKind;
      const known = before.get(store)?.get(kind);
      const same = known?.version === version && known.updatedAt === body.updatedAt;
      const held = same ? known : { ...body, version };
      this.stores.set(store, new Map([...(this.stores.get(store) ?? none), [kind, held]]));
    }
  }
}
