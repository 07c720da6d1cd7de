import { digestOf } from '../../shared/digest';

/** A click or a view, as it is counted. */
export interface CountedClick {
  store: string;
  /** A hash of the address. */
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

/** The names of counters: each holds for its window alone. Shoppers are hashed; so is the address already. */
export function countersOf({ store, address, shopper, campaign, product, now }: CountedClick) {
  const hour = Math.floor(now / HOUR);
  const own = `${store} ${address}`;
  return {
    minute: `m ${own} ${Math.floor(now / MINUTE)}`,
    /** Of one hour and address: `users`, and fields of shoppers and campaigns. */
    hour: `h ${own} ${hour}`,
    user: `u${digestOf(store, shopper).slice(0, 16)}`,
    share: `c${campaign}`,
    campaign: `c ${store} ${hour} ${campaign}`,
    /** Of one day and address: fields of products. */
    day: `d ${own} ${Math.floor(now / DAY)}`,
    click: `c${JSON.stringify([campaign, product])}`,
    view: `v${JSON.stringify([campaign, product])}`,
  };
}
