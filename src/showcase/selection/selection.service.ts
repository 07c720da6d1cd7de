import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import { productFeature } from '../../ranking/vectors/features';
import { PersonalRanking } from '../../search/sessions/personal-ranking';
import type { Store } from '../../stores/store';
import type { ShowcaseParameters } from '../parameters';
import { Budgets } from './budgets';
import { Candidates } from './candidates';
import { ClickRateEstimates } from './click-rate-estimates';
import type { Inventory } from './inventory';
import { RelevanceService } from './relevance.service';
import { InventoriesService } from './inventories.service';

export interface Selection {
  candidates: Candidates;
  /** Whether the shopper has shown interest in this very product. */
  isFamiliar(productId: string): boolean;
}

export type Shopper = Pick<ShowcaseParameters, 'userId' | 'deviceId'>;

/** Campaigns -> candidates, by what each is worth on this page for this shopper: relevance × bid × clicks by view × affinity. */
@Injectable()
export class SelectionService {
  constructor(
    private readonly inventories: InventoriesService,
    private readonly budgets: Budgets,
    private readonly relevance: RelevanceService,
    private readonly ranking: PersonalRanking,
    private readonly rates: ClickRateEstimates,
    private readonly clock: Clock,
  ) {}

  async select(store: Store, request: ShowcaseParameters & { channel: string }, shopper: Shopper): Promise<Selection> {
    const { inventory, offers } = await this.inventories.of(store, request.channel);
    const candidates = new Candidates(inventory);
    const payable = offers.length > 0 ? await this.budgets.payable(store, offers) : [];
    const now = this.clock.now();
    const eligible = payable.filter((offer) => offer.isFor(request.placement, request.channel, now));
    if (eligible.length === 0) return { candidates, isFamiliar: () => false };
    const [relevance, { boosts }] = await Promise.all([
      this.relevance.of(store, inventory, request),
      this.ranking.fresh(store, shopper, { query: request.search, categories: shownCategories(inventory, request) }),
    ]);
    const fit = inventory.affinities(boosts);
    for (let slot = 0; slot < fit.length; slot += 1) fit[slot] = (fit[slot] ?? 1) * (relevance[slot] ?? 0);
    const rates = this.rates.of(store);
    for (const offer of eligible) candidates.add(offer, offer.worth(rates), fit);
    return { candidates, isFamiliar: (productId) => (boosts?.featureWeights.get(productFeature(productId)) ?? 0) > 0 };
  }
}

/** Keys of the category whose page it is. */
function shownCategories(inventory: Inventory, { categories = [] }: ShowcaseParameters): readonly string[] {
  const own = categories.at(-1);
  return own === undefined ? [] : inventory.categoryKeys(own);
}
