import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CacheInvalidation } from '../../documents/cache-invalidation';
import { Documents } from '../../documents/documents';
import { HeldDocuments } from '../../documents/held-documents';
import { ApiError } from '../../shared/api-error';
import { ID_RULE, isId } from '../../shared/ids';
import type { Store } from '../../stores/store';
import { StoreErasure } from '../../stores/store-erasure';
import { FacetRegistry } from '../../search/facets/facet-registry';
import { parseKnownFilters } from '../../search/facets/parse-filters';
import type { Campaign } from './campaign';

/**
 * The campaigns of all stores. They are held in memory, so that a click asks nobody; a change is durable before it shows, and
 * is answered when every replica has seen it.
 */
@Injectable()
export class CampaignsService implements OnModuleInit {
  private readonly held: HeldDocuments<Campaign>;

  constructor(
    documents: Documents,
    invalidation: CacheInvalidation,
    private readonly facets: FacetRegistry,
    erasure: StoreErasure,
  ) {
    this.held = new HeldDocuments(documents, invalidation, { cache: 'campaigns', kind: 'campaign' });
    erasure.add('campaigns', async (store) => this.held.forget(store));
  }

  async onModuleInit(): Promise<void> {
    await this.held.open();
  }

  /** By id. Every change makes another map. */
  of(store: string): ReadonlyMap<string, Campaign> {
    return this.held.of(store);
  }

  list(store: Store): Campaign[] {
    return [...this.of(store.id).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Throws 404. */
  get(store: Store, id: string): Campaign {
    const campaign = this.held.get(store.id, id);
    if (!campaign) throw noSuch(id);
    return campaign;
  }

  /** Makes or replaces one. Throws 400 for a filter that names nothing of the store's. */
  async put(store: Store, campaign: Campaign): Promise<void> {
    if (!isId(campaign.id)) throw new ApiError('invalid_id', `The id of a campaign is ${ID_RULE}`);
    await parseKnownFilters(store.id, campaign.filter ?? [], this.facets);
    await this.held.put(store.id, campaign.id, () => campaign);
  }

  /** Its clicks stay in the ledger, and what was spent stays spent. Throws 404. */
  async remove(store: Store, id: string): Promise<void> {
    if (!(await this.held.remove(store.id, id))) throw noSuch(id);
  }
}

const noSuch = (id: string): ApiError => new ApiError('not_found', `There is no campaign "${id}"`);
