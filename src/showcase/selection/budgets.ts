import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { ClickLedger } from '../ledger/click-ledger';
import { canPay } from '../ledger/ledger-rules';
import { dayOf } from '../../stores/store-day';
import type { Offer } from './offer';

/** Milliseconds. A click on an ad that is shown a moment too long is over budget and costs nothing. */
const FRESH_MS = 1000;

const NOTHING = { total: 0, today: 0 };

interface Payable {
  day: string;
  /** As `performance.now()`. */
  readAt: number;
  offers: Promise<readonly Offer[]>;
}

/** Which campaigns can still pay for a click. */
@Injectable()
export class Budgets {
  private readonly kept = new WeakMap<readonly Offer[], Payable>();

  constructor(
    private readonly ledger: ClickLedger,
    private readonly clock: Clock,
  ) {}

  /** At most a second old, for the same list of offers. */
  payable(store: Store, offers: readonly Offer[]): Promise<readonly Offer[]> {
    const day = dayOf(this.clock.now(), store.settings.timeZone);
    const readAt = performance.now();
    const kept = this.kept.get(offers);
    if (kept && kept.day === day && readAt - kept.readAt < FRESH_MS) return kept.offers;
    const reading = this.read(store, offers, day);
    this.kept.set(offers, { day, readAt, offers: reading });
    reading.catch(() => this.kept.delete(offers));
    return reading;
  }

  private async read(store: Store, offers: readonly Offer[], day: string): Promise<readonly Offer[]> {
    const campaigns = offers.map(({ campaign }) => campaign.id);
    const spent = await this.ledger.spent(store.id, campaigns, day);
    return offers.filter(({ campaign, charge }) => canPay(charge, spent.get(campaign.id) ?? NOTHING));
  }
}
