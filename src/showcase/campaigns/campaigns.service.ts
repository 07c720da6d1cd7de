import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type DocumentKey, Documents } from '../../documents/documents';
import { CacheInvalidation } from '../../documents/cache-invalidation';
import type { SharedCache } from '../../documents/shared-cache';
import { ApiError } from '../../shared/api-error';
import { ID_RULE, isId } from '../../shared/ids';
import type { Store } from '../../stores/store';
import { StoreErasure } from '../../stores/store-erasure';
import { FacetRegistry } from '../../search/facets/facet-registry';
import { parseKnownFilters } from '../../search/facets/parse-filters';
import type { Campaign } from './campaign';

const KIND = 'campaign';
const keyOf = (store: string, id: string): DocumentKey => ({ store, kind: KIND, id });

const none: ReadonlyMap<string, Campaign> = new Map();

/**
 * The campaigns of all stores. They are held in memory, so that a click asks nobody; a change is durable before it shows, and
 * is answered when every replica has seen it.
 */
@Injectable()
export class CampaignsService implements OnModuleInit {
  private readonly stores = new Map<string, Map<string, Campaign>>();
  private readonly cache: SharedCache;

  constructor(
    private readonly documents: Documents,
    invalidation: CacheInvalidation,
    private readonly facets: FacetRegistry,
    erasure: StoreErasure,
  ) {
    this.cache = invalidation.cache('campaigns', () => this.load());
    // The documents go with the other ones of the store.
    erasure.add('campaigns', async (store) => void this.stores.delete(store));
  }

  async onModuleInit(): Promise<void> {
    await this.cache.open();
  }

  /** By id. Every change makes another map. */
  of(store: string): ReadonlyMap<string, Campaign> {
    return this.stores.get(store) ?? none;
  }

  list(store: Store): Campaign[] {
    return [...this.of(store.id).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Throws 404. */
  get(store: Store, id: string): Campaign {
    const campaign = this.of(store.id).get(id);
    if (!campaign) throw new ApiError('not_found', `There is no campaign "${id}"`);
    return campaign;
  }

  /** Makes or replaces one. Throws 400 for a filter that names nothing of the store's. */
  async put(store: Store, campaign: Campaign): Promise<void> {
    if (!isId(campaign.id)) throw new ApiError('invalid_id', `The id of a campaign is ${ID_RULE}`);
    await parseKnownFilters(store.id, campaign.filter ?? [], this.facets);
    await this.cache.retryOnConflict(() => this.cache.put([{ ...keyOf(store.id, campaign.id), body: campaign }]));
    this.hold(store.id, (campaigns) => campaigns.set(campaign.id, campaign));
    await this.cache.seenByAll();
  }

  /** Its clicks stay in the ledger, and what was spent stays spent. Throws 404. */
  async remove(store: Store, id: string): Promise<void> {
    this.get(store, id);
    await this.documents.remove(keyOf(store.id, id));
    await this.cache.invalidate();
    this.hold(store.id, (campaigns) => campaigns.delete(id));
    await this.cache.seenByAll();
  }

  private hold(store: string, change: (campaigns: Map<string, Campaign>) => unknown): void {
    const campaigns = new Map(this.of(store));
    change(campaigns);
    this.stores.set(store, campaigns);
  }

  private async load(): Promise<void> {
    const documents = await this.documents.list<Campaign>({ kind: KIND });
    this.stores.clear();
    for (const { store, body } of documents) {
      const campaigns = this.stores.get(store) ?? new Map<string, Campaign>();
      campaigns.set(body.id, body);
      this.stores.set(store, campaigns);
    }
  }
}
