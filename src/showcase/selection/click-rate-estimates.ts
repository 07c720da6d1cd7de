import { Injectable } from '@nestjs/common';
import { SingleFlight } from '../../shared/async/single-flight';
import { Clock, elapsedBy } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { ClickLedger } from '../ledger/click-ledger';
import { addDays, dayOf } from '../../stores/store-day';
import { ClickRates, type Counts, RATED } from './click-rates';

/** Days of views and clicks that an estimate is made of. */
const DAYS = 14;
const FRESH_MS = 300_000;
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
