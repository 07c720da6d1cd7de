import { type Campaign, chargeOf, isWithin, type Placement, type RunTime, runTime } from '../campaigns/campaign';
import type { Charge } from '../ledger/click-ledger';
import type { ClickRates } from './click-rates';
import type { Inventory } from './inventory';

/** A campaign that is not paused, with what every request needs of it computed once. */
export class Offer {
  readonly charge: Charge;
  private readonly time: RunTime;
  private weighed: { rates: ClickRates; worth: Float64Array } | null = null;

  constructor(
    readonly campaign: Campaign,
    /** Of its products in the inventory. */
    readonly slots: readonly number[],
    private readonly inventory: Inventory,
  ) {
    this.charge = chargeOf(campaign);
    this.time = runTime(campaign);
  }

  isFor(placement: Placement, channel: string, now: number): boolean {
    const { placements, salesChannels } = this.campaign;
    return isWithin(this.time, now) && placements.includes(placement) && (salesChannels?.includes(channel) ?? true);
  }

  /** What a view of each of `slots` is expected to earn: bid × clicks by view. */
  worth(rates: ClickRates): Float64Array {
    if (this.weighed?.rates === rates) return this.weighed.worth;
    const rate = rates.of(this.campaign.id);
    const worth = Float64Array.from(
      this.slots,
      (slot) => this.campaign.bid * rate(this.inventory.products[slot]?.id ?? ''),
    );
    this.weighed = { rates, worth };
    return worth;
  }
}
