import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CacheInvalidation } from '../../documents/cache-invalidation';
import { Documents } from '../../documents/documents';
import { HeldDocuments } from '../../documents/held-documents';
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

const nothing: readonly never[] = [];

/**
 * What merchandisers set down for their stores: synonyms, redirects, rules, hotsites, banners. It is held in memory, so that a search asks
 * nobody; a change is durable before it shows, and is answered when every replica has seen it. A list stays the same object until it is
 * changed, so that what is made of it can be kept beside it.
 */
@Injectable()
export class Merchandising implements OnModuleInit {
  private readonly held: HeldDocuments<Stored>;

  constructor(
    documents: Documents,
    invalidation: CacheInvalidation,
    private readonly clock: Clock,
    erasure: StoreErasure,
  ) {
    this.held = new HeldDocuments(documents, invalidation, { cache: 'merchandising', kind: 'merchandising' });
    erasure.add('merchandising', async (store) => this.held.forget(store));
  }

  async onModuleInit(): Promise<void> {
    await this.held.open();
  }

  of<K extends MerchandisingKind>(store: string, kind: K): Entries[K] {
    return (this.held.get(store, kind)?.entries ?? nothing) as Entries[K];
  }

  view({ id }: Store, kind: MerchandisingKind): MerchandisingView {
    const { entries = [], updatedAt = null } = this.held.get(id, kind) ?? {};
    return { [kind]: entries, version: this.held.version(id, kind), updatedAt };
  }

  /** Replaces the whole list. */
  async put<K extends MerchandisingKind>({ id: store }: Store, kind: K, entries: Entries[K]): Promise<void> {
    await this.held.put(store, kind, () => ({ entries, updatedAt: new Date(this.clock.now()).toISOString() }));
  }
}
