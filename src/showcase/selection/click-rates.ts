import { Injectable } from '@nestjs/common';
import { SingleFlight } from '../../shared/async/single-flight';
import { Clock, elapsedBy } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { ClickLedger } from '../ledger/click-ledger';
import { addDays, dayOf } from '../../stores/store-day';

/** Days of views and clicks that an estimate is made of. */
const DAYS = 14;
/** The store's own rate weighs as much as so many views: what is new has that rate, and a lucky first click changes little. */
const PRIOR_VIEWS = 100;
/** The rate of a store without any views. */
const USUAL = 0.01;
const FRESH_MS = 300_000;

interface Counts {
  views: number;
  clicks: number;
}

/** What counts: not what is beyond an address's most of a day. Clicks that were credited are not among the valid ones any more. */
const RATED: ReadonlyMap<string, { kind: keyof Counts; sign: 1 | -1 }> = new Map([
  ['view/valid', { kind: 'views', sign: 1 }],
  ['view/unrated', { kind: 'views', sign: -1 }],
  ['click/valid', { kind: 'clicks', sign: 1 }],
  ['click/unrated', { kind: 'clicks', sign: -1 }],
]);

/** Clicks by view of each campaign's products, smoothed towards the store's own rate. */
export class ClickRates {
  private readonly usual: number;

  constructor(
    /** Campaign -> product -> what was counted. */
    private readonly counts: ReadonlyMap<string, ReadonlyMap<string, Counts>>,
    all: Counts,
  ) {
    this.usual = smoothed(all, USUAL);
  }

  /** Of a campaign's products by their ids. */
  of(campaign: string): (product: string) => number {
    const counts = this.counts.get(campaign);
    return (product) => {
      const own = counts?.get(product);
      return own ? smoothed(own, this.usual) : this.usual;
    };
  }
}

/** Above zero, and at most one. */
function smoothed({ views, clicks }: Counts, prior: number): number {
  return Math.min(1, (clicks + PRIOR_VIEWS * prior) / (Math.max(views, clicks) + PRIOR_VIEWS));
}

const UNKNOWN = new ClickRates(new Map(), { views: 0, clicks: 0 });

/** Keeps the estimates of every store for some minutes. */
@Injectable()
export class ClickRateEstimates {
  private readonly estimates = new Map<string, { rates: ClickRates; at: number }>();
  private readonly flights = new SingleFlight<void>();

  constructor(
    private readonly ledger: ClickLedger,
    private readonly clock: Clock,
  ) {}

  /** Estimates may be some minutes old: nobody waits for new ones. */
  of(store: Store): ClickRates {
    const known = this.estimates.get(store.id);
    if (!known || elapsedBy(this.clock) - known.at > FRESH_MS) {
      this.flights.run(store.id, () => this.estimate(store)).catch(() => undefined);
    }
    return known?.rates ?? UNKNOWN;
  }

  private async estimate({ id, settings: { timeZone } }: Store): Promise<void> {
    const at = elapsedBy(this.clock);
    const to = dayOf(this.clock.now(), timeZone);
    const counts = new Map<string, Map<string, Counts>>();
    const all = { views: 0, clicks: 0 };
    const rollups = await this.ledger.rollups({ store: id, from: addDays(to, -DAYS), to });
    for (const { campaign, product, measure, count } of rollups) {
      const rated = RATED.get(measure);
      if (!rated || campaign === '') continue;
      const { kind, sign } = rated;
      const products = counts.get(campaign) ?? new Map<string, Counts>();
      const own = products.get(product) ?? { views: 0, clicks: 0 };
      own[kind] += sign * count;
      all[kind] += sign * count;
      counts.set(campaign, products.set(product, own));
    }
    this.estimates.set(id, { rates: new ClickRates(counts, all), at });
  }
}
