import { BlockList, isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { ShopperKey } from '../../behaviour/shoppers/shopper';
import { digestOf } from '../../shared/digest';
import { DailyAddresses } from '../../stores/access/daily-addresses';
import { RateLimiter } from '../../stores/access/rate-limiter';
import type { Store } from '../../stores/store';
import type { Arrival } from '../ledger/click-ledger';
import { type AddressLimits, type Admission, ClickWindows, type CountedClick } from './click-windows';
import type { Link } from './link-tokens';
import { agentOf, type Visitor } from './visitor';

/** Unless the store says otherwise; docs/showcase.md says what they mean. */
const USUAL = { clicksPerMinute: 60, usersPerHour: 50, addressShare: 0.1, addressClicks: 30 };
/** Views and clicks of a product from one address that count for click rates on a day. */
const RATED = { views: 10, clicks: 1 };
/** A shared address counts as so many. */
const SHARED = 20;

/** An authentic link that is followed. */
export interface Followed {
  store: Store;
  link: Link & { id: string };
  now: number;
}

/** Where a click or a view comes from. */
export interface Source {
  /** Null: the store vouches for it by its keys, or no address is known. Nothing is limited. */
  counted: CountedClick | null;
  isShared: boolean;
  arrival: Arrival;
}

/**
 * Knows addresses that click more than people do. Whatever users a call names, its address is counted: names cost nothing, addresses
 * do. Where many shoppers share an address, the store says so, and then each of them is counted, too.
 */
@Injectable()
export class BurstGuard {
  private readonly shared = new WeakMap<readonly string[], BlockList>();

  constructor(
    private readonly windows: ClickWindows,
    private readonly users: RateLimiter,
    private readonly addresses: DailyAddresses,
  ) {}

  /** `vouched`: the store's keys came along. */
  async sourceOf(
    { store, link, now }: Followed,
    visitor: Visitor,
    shopper: ShopperKey | null,
    vouched: boolean,
  ): Promise<Source> {
    const address = vouched ? null : await this.addresses.of(store.id, visitor.address, now);
    if (address === null) return { counted: null, isShared: false, arrival: {} };
    const { campaign, product } = link;
    const counted = { store: store.id, address, shopper: shopper ?? '', campaign, product, now };
    if (this.isShared(store, visitor.address)) return { counted, isShared: true, arrival: {} };
    const request = digestOf(link.request).slice(0, 16);
    return { counted, isShared: false, arrival: { address, agent: agentOf(visitor), request } };
  }

  async admit(store: Store, { counted, isShared }: Source): Promise<Admission> {
    if (!counted) return { admitted: true, rated: true };
    const limits = limitsOf(store);
    if (!isShared) return this.windows.admit(counted, limits);
    const { perMinute, usersPerHour, rated } = limits;
    const key = JSON.stringify(['clicks', counted.store, counted.address, counted.shopper]);
    const { passed } = await this.users.take(key, perMinute, counted.now);
    if (!passed) return { admitted: false, rated: false };
    const many = { perMinute: SHARED * perMinute, usersPerHour: SHARED * usersPerHour, rated: SHARED * rated };
    return this.windows.admit(counted, { ...limits, ...many, share: 1 });
  }

  /** After an admitted click that was not billed. */
  async giveBack({ counted }: Source): Promise<void> {
    if (counted) await this.windows.giveBack(counted);
  }

  /** Whether a view may count for click rates. */
  async takeView({ counted, isShared }: Source): Promise<boolean> {
    return !counted || this.windows.takeView(counted, RATED.views * (isShared ? SHARED : 1));
  }

  private isShared({ settings }: Store, address: string): boolean {
    const entries = settings.showcase?.sharedAddresses;
    if (!entries || entries.length === 0) return false;
    let list = this.shared.get(entries);
    if (!list) this.shared.set(entries, (list = listOf(entries)));
    return list.check(address, familyOf(address));
  }
}

/** What may come from one address that is not shared. */
export function limitsOf({ settings: { showcase = {} } }: Store): AddressLimits {
  const {
    clicksPerMinute: perMinute = USUAL.clicksPerMinute,
    usersPerHour = USUAL.usersPerHour,
    addressShare: share = USUAL.addressShare,
    addressClicks: floor = USUAL.addressClicks,
  } = showcase;
  return { perMinute, usersPerHour, share, floor, rated: RATED.clicks };
}

function listOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');
