import { Injectable } from '@nestjs/common';
import { CatalogService } from '../catalog/catalog.service';
import { Documents } from '../documents/documents';
import { ApiError } from '../shared/api-error';
import { CampaignsService } from '../showcase/campaigns/campaigns.service';
import type { Store } from '../stores/store';
import { StoresService } from '../stores/stores.service';
import { DemoAddress } from './demo-address';
import { demoCampaigns } from './demo-campaigns';
import { showcase } from './demo-shoppers';
import { DemoUpkeep } from './demo-upkeep';
import { DEMO_API_KEY, DEMO_ORIGIN, DemoWorld } from './demo-world';

/** What to try first: the same query, asked by two shoppers with different tastes. */
export interface DemoTour {
  /** Whitelisted for the demo store. */
  origin: string;
  query: string;
  shoppers: [DemoGuest, DemoGuest];
  /** The link of a sponsored product, made for the first of them; null where nothing is shown. */
  clickLink: string | null;
}

type DemoGuest = (typeof showcase.shoppers)[number] & {
  /** A product that changes this shopper's next answer when it is looked at. */
  views: string;
};

const ORIGINS = ['demo.vitrine.example', 'localhost', '127.0.0.1'];
const BATCH = 1000;
const STORE_NAME = 'Vitrine Demo';

/** Fills an empty service with a shop to try it on: store `demo`, its catalog, and shoppers with known tastes. */
@Injectable()
export class DemoService {
  constructor(
    private readonly stores: StoresService,
    private readonly catalog: CatalogService,
    private readonly upkeep: DemoUpkeep,
    private readonly campaigns: CampaignsService,
    private readonly documents: Documents,
    private readonly world: DemoWorld,
    private readonly address: DemoAddress,
  ) {}

  /**
   * Makes the demo store where there is no store at all, and finishes one that was interrupted. Everything in it goes the way of
   * any other store's data. Null where the service serves other stores and no demo, or another replica is making it. Ends with the
   * error of `signal` where that is aborted; what is missing then is made at the next start.
   */
  async ensure(signal?: AbortSignal): Promise<DemoTour | null> {
    const found = this.stores.byApiKey(DEMO_API_KEY);
    if (!found && this.stores.all().length > 0) return null;
    const store = found ?? (await this.create());
    if (!store) return null;
    const filled = { store: store.id, kind: 'demo', id: 'filled' };
    if (!(await this.documents.get(filled))) {
      // A store called `demo` that somebody made by hand is theirs.
      if (store.name !== STORE_NAME) return null;
      await this.fill(store, signal);
      await this.documents.put([{ ...filled, body: { at: new Date(this.world.now()).toISOString() } }]);
    }
    await this.address.follow(store, signal);
    await this.advertise(store);
    return this.tour(signal);
  }

  /** Null where another replica that starts at the same time makes it. */
  private async create(): Promise<Store | null> {
    const settings = { language: 'pt-BR', homeUrl: this.address.home };
    try {
      const demo = { apiKey: DEMO_API_KEY, name: STORE_NAME, origins: ORIGINS, settings };
      return (await this.stores.create(demo)).store;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'conflict') return null;
      throw error;
    }
  }

  private async fill(store: Store, signal: AbortSignal | undefined): Promise<void> {
    const products = this.world.products();
    for (let from = 0; from < products.length; from += BATCH) {
      const batch = products.slice(from, from + BATCH).map(({ sent }) => sent);
      signal?.throwIfAborted();
      await this.catalog.putMany(store, { products: batch });
    }
    await this.world.replay(store, products, signal);
    signal?.throwIfAborted();
    await this.upkeep.run(store);
  }

  /** Campaigns are made once, so one that somebody has removed stays away. */
  private async advertise(store: Store): Promise<void> {
    const made = { store: store.id, kind: 'demo', id: 'campaigns' };
    if (await this.documents.get(made)) return;
    for (const campaign of demoCampaigns(this.world.products())) await this.campaigns.put(store, campaign);
    await this.documents.put([{ ...made, body: null }]);
  }

  private async tour(signal: AbortSignal | undefined): Promise<DemoTour> {
    const { query, shoppers } = showcase;
    const guest = async (shopper: (typeof shoppers)[number]): Promise<DemoGuest> => ({
      ...shopper,
      views: await this.world.justBelow(shopper.userId, query, signal),
    });
    const clickLink = await this.world.clickLink(shoppers[0].userId, signal);
    return { origin: DEMO_ORIGIN, query, shoppers: [await guest(shoppers[0]), await guest(shoppers[1])], clickLink };
  }
}
