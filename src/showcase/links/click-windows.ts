import { digestOf } from '../../shared/digest';

/** A click or a view, as it is counted. All of it is opaque here. */
export interface CountedClick {
  store: string;
  address: string;
  shopper: string;
  campaign: string;
  product: string;
  /** Epoch milliseconds. */
  now: number;
}

/** What may come from one address. */
export interface AddressLimits {
  perMinute: number;
  /** Different shoppers in an hour. */
  usersPerHour: number;
  /** The most of a campaign's clicks in an hour, from 0 to 1; so many as `floor` may be its in any case. */
  share: number;
  floor: number;
  /** Clicks on a product a day that count for click rates. */
  rated: number;
}

export interface Admission {
  admitted: boolean;
  /** Whether it may count for click rates. */
  rated: boolean;
}

export const REFUSED: Admission = { admitted: false, rated: false };

export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

/** Counts clicks and views by address, in minutes, hours and days of the clock. */
export abstract class ClickWindows {
  /** Counts a click, all of it or, where a limit is used up, none of it. Never throws. */
  abstract admit(click: CountedClick, limits: AddressLimits): Promise<Admission>;
  /** Takes an admitted click that was not billed off its campaign's count and the click rates. Never throws. */
  abstract giveBack(click: CountedClick): Promise<void>;
  /** Counts a view; false where its address has had `most` of the product on this day. Never throws. */
  abstract takeView(view: CountedClick, most: number): Promise<boolean>;
}

/** The names of counters: each holds for its window alone. */
export function countersOf({ store, address, shopper, campaign, product, now }: CountedClick) {
  const hour = Math.floor(now / HOUR);
  const name = (...parts: unknown[]): string => digestOf(store, ...parts).slice(0, 22);
  const own = name(address, Math.floor(now / DAY));
  return {
    minute: name('minute', address, Math.floor(now / MINUTE)),
    /** Of one hour and address: `users`, and fields of shoppers and campaigns. */
    hour: name('hour', address, hour),
    user: `u${name(shopper)}`,
    share: `c${name(campaign)}`,
    campaign: name('campaign', campaign, hour),
    /** Of one day and address: fields of products. */
    day: own,
    click: `c${name(campaign, product)}`,
    view: `v${name(campaign, product)}`,
  };
}
