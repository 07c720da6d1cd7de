import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock';
import { productFeature } from '../../catalog/features';
import { PersonalRanking } from '../../search/personal-ranking';
import type { Store } from '../../stores/store';
import { isRunning, type Campaign } from '../campaigns/campaign';
import type { ShowcaseParameters } from '../parameters';
import { Budgets, canPay } from './budgets';
import { ClickRateEstimates } from './click-rates';
import type { Candidate } from './pick';
import { RelevanceService } from './relevance.service';
import { ShelvesService, type StockedShelf } from './shelves.service';

/** What a page may show, each product once. */
export interface Selection {
  candidates: Candidate[];
  /** Whether the shopper has shown interest in this very product. */
  isFamiliar(productId: string): boolean;
}

export type Shopper = Pick<ShowcaseParameters, 'userId' | 'deviceId'>;

/** What candidates are weighed by. */
@Injectable()
export class SelectionSignals {
  constructor(
    readonly relevance: RelevanceService,
    readonly ranking: PersonalRanking,
    readonly rates: ClickRateEstimates,
    readonly budgets: Budgets,
  ) {}
}

/** Campaigns -> candidates, by what each is worth on this page for this shopper: relevance × bid × clicks by view × affinity. */
@Injectable()
export class SelectionService {
  constructor(
    private readonly shelves: ShelvesService,
    private readonly signals: SelectionSignals,
    private readonly clock: Clock,
  ) {}

  async select(store: Store, request: ShowcaseParameters & { channel: string }, shopper: Shopper): Promise<Selection> {
    const stocked = await this.shelves.of(store, request.channel);
    const eligible = await this.eligible(store, stocked, request);
    if (eligible.length === 0) return { candidates: [], isFamiliar: () => false };
    const { shelf } = stocked;
    const [relevance, { boosts }] = await Promise.all([
      this.signals.relevance.of(store, shelf, request),
      this.signals.ranking.fresh(store, shopper),
    ]);
    const affinity = shelf.affinities(boosts);
    const rates = this.signals.rates.of(store);
    const best = new Map<number, Candidate>();
    for (const { campaign, places } of eligible) {
      for (const place of places) {
        const fit = relevance[place] ?? 0;
        const product = shelf.products[place];
        if (fit <= 0 || !product) continue;
        const score = fit * campaign.bid * rates.of(campaign.id, product.id) * (affinity[place] ?? 1);
        const known = best.get(place);
        // Of two campaigns for a product, the one that is worth more; of two alike, always the same.
        if (!known || known.score < score || (known.score === score && campaign.id < known.campaign.id)) {
          best.set(place, { campaign, product, score });
        }
      }
    }
    return {
      candidates: [...best.values()],
      isFamiliar: (productId) => (boosts?.adds.get(productFeature(productId)) ?? 0) > 0,
    };
  }

  private async eligible(
    store: Store,
    { campaigns }: StockedShelf,
    { placement, channel }: ShowcaseParameters & { channel: string },
  ): Promise<StockedShelf['campaigns']> {
    const now = this.clock.now();
    const isHere = ({ placements, salesChannels }: Campaign): boolean =>
      placements.includes(placement) && (salesChannels?.includes(channel) ?? true);
    const running = campaigns.filter(({ campaign }) => isRunning(campaign, now) && isHere(campaign));
    if (running.length === 0) return [];
    const spent = await this.signals.budgets.spent(
      store,
      running.map(({ campaign }) => campaign),
    );
    return running.filter(({ campaign }) => canPay(campaign, spent.get(campaign.id)));
  }
}
