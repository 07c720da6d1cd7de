import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Documents } from '../../documents/documents';
import { SingleFlight } from '../../shared/async/single-flight';
import type { Store } from '../../stores/store';
import { StoresService } from '../../stores/stores.service';
import type { Campaign } from '../campaigns/campaign';
import { CampaignsService } from '../campaigns/campaigns.service';
import { CatalogChanges } from './catalog-changes';
import { Offer } from './offer';
import { Inventory, type SponsoredProduct } from './inventory';
import { ProductSearch } from './product-search';
import { SponsoredProducts } from './sponsored-products';

/** A store's sponsored products in one sales channel, and which campaigns pay for them. */
interface KeptInventory {
  inventory: Inventory;
  /** By the ids of their campaigns. */
  offers: readonly Offer[];
  /** The campaigns it was made of. */
  of: ReadonlyMap<string, Campaign>;
  products: Map<string, SponsoredProduct | null>;
  found: Map<string, string[]>;
  revision: number;
  /** As `performance.now()`. */
  madeAt: number;
  /** When everything was read the last time. */
  readAt: number;
}

/** Changes of products by other replicas show after this time; changes by this one at most so often. Milliseconds. */
const ELSEWHERE_MS = 30_000;
const HERE_MS = 1000;
/** How many products a campaign's filter finds at most: those that a search would show first. */
const MOST_FOUND = 1000;

/**
 * The sponsored products of each store, in memory: a widget is chosen without asking anybody. Made anew at once where campaigns have
 * changed, soon where products have. What is not available any more is found out when it is to be shown.
 */
@Injectable()
export class InventoriesService implements OnApplicationBootstrap {
  private readonly kept = new Map<string, KeptInventory>();
  private readonly flights = new SingleFlight<KeptInventory>();

  constructor(
    private readonly campaigns: CampaignsService,
    private readonly products: SponsoredProducts,
    private readonly search: ProductSearch,
    private readonly changes: CatalogChanges,
    private readonly documents: Documents,
    private readonly stores: StoresService,
  ) {}

  /** Reads the inventories from the server before anybody waits for them. */
  onApplicationBootstrap(): void {
    if (!this.documents.shared) return;
    for (const store of this.stores.all()) {
      if (this.campaigns.of(store.id).size === 0) continue;
      void this.of(store, store.settings.defaultSalesChannel).catch(() => undefined);
    }
  }

  async of(store: Store, channel: string): Promise<Pick<KeptInventory, 'inventory' | 'offers'>> {
    const name = JSON.stringify([store.id, channel]);
    const kept = this.kept.get(name);
    if (!kept || kept.of !== this.campaigns.of(store.id)) return this.make(name, store, channel);
    const age = performance.now() - kept.madeAt;
    if (age > HERE_MS && this.isTouched(store, kept)) return this.make(name, store, channel);
    // Nobody waits: most likely nothing has changed.
    if (this.isOld(kept)) void this.make(name, store, channel).catch(() => undefined);
    return kept;
  }

  /** Whether this process has written a product that is in the inventory or may belong in it. */
  private isTouched(store: Store, kept: KeptInventory): boolean {
    const { revision } = this.changes;
    if (kept.revision === revision) return false;
    const hasFilter = kept.offers.some(({ campaign }) => (campaign.filter ?? []).length > 0);
    const changed = this.changes.since(store.id, kept.revision);
    if (changed === null || changed.some((id) => hasFilter || kept.products.has(id))) return true;
    kept.revision = revision;
    return false;
  }

  private isOld({ readAt }: KeptInventory): boolean {
    return this.documents.shared && performance.now() - readAt > ELSEWHERE_MS;
  }

  private make(name: string, store: Store, channel: string): Promise<KeptInventory> {
    return this.flights.run(name, async () => {
      const made = await this.stock(store, channel, this.kept.get(name));
      this.kept.set(name, made);
      return made;
    });
  }

  private async stock(store: Store, channel: string, before: KeptInventory | undefined): Promise<KeptInventory> {
    const { revision } = this.changes;
    const of = this.campaigns.of(store.id);
    const changed = before && !this.isOld(before) ? this.changes.since(store.id, before.revision) : null;
    const known = before && changed ? before : { products: new Map(), found: new Map(), readAt: performance.now() };
    const products: KeptInventory['products'] = new Map(known.products);
    for (const id of changed ?? []) products.delete(id);
    const found: KeptInventory['found'] = changed?.length === 0 ? known.found : new Map();
    const named: { campaign: Campaign; ids: string[] }[] = [];
    for (const campaign of this.campaigns.list(store)) {
      if (campaign.status !== 'active') continue;
      named.push({ campaign, ids: await this.idsOf(campaign, { store, channel, found }) });
    }
    const ids = [...new Set(named.flatMap((campaign) => campaign.ids))];
    const unread = ids.filter((id) => !products.has(id));
    const read = await this.products.read(store, channel, unread);
    unread.forEach((id, index) => products.set(id, read[index] ?? null));
    const inventory = new Inventory(ids.flatMap((id) => products.get(id) ?? []));
    const offers = named.map(({ campaign, ids: own }) => {
      const slots = own.flatMap((id) => inventory.slotOf(id) ?? []);
      return new Offer(campaign, slots, inventory);
    });
    return { inventory, offers, of, products, found, revision, madeAt: performance.now(), readAt: known.readAt };
  }

  private async idsOf(
    { products, filter }: Campaign,
    { store, channel, found }: { store: Store; channel: string; found: KeptInventory['found'] },
  ): Promise<string[]> {
    if (!filter || filter.length === 0) return products;
    const name = JSON.stringify(filter);
    const others = found.get(name) ?? (await this.search.byFilter(store, channel, filter, MOST_FOUND));
    found.set(name, others);
    return [...new Set([...products, ...others])];
  }
}
