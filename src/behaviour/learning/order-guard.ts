import type { Purchase } from '../../ranking/learning/learn';
import type { StoredEvent } from '../events/event-log';
import { growingCache } from '../../shared/growing-cache';

/** A counted transaction of the log. */
export type LoggedOrder = Pick<StoredEvent, 'shopper' | 'evidence' | 'receivedAt' | 'keyed' | 'addressHash'>;

const DAY = 86_400_000;
/** A store sends orders with keys as long as the last one is no older than this. */
export const PROVEN_FOR_MS = 30 * DAY;
/** What is older when it comes is history that is imported (contract section 9: a client's time is honoured so far back). */
export const SENT_WITHIN_MS = 7 * DAY;

/** A household, an office: an address speaks for so many buyers a day, and a botnet has to pay for each address. */
const BUYERS_A_DAY = 3;
/** Addresses of a day, and products that a buyer bought on a day, that are remembered. More would be forgotten oldest first. */
const MOST_REMEMBERED = 200_000;

/** Whether an order with keys says that the store's backend sends its orders now. */
export function isSentNow({ at, receivedAt }: Pick<StoredEvent, 'at' | 'receivedAt'>, now: number): boolean {
  return receivedAt > now - PROVEN_FOR_MS && receivedAt <= now && receivedAt - at <= SENT_WITHIN_MS;
}

/**
 * Decides which orders teach something of the store as a whole (contract section 9): nobody buys a ranking. Orders with keys do, as do
 * those from before it was kept how an order came. Others do as long as the store sends none with keys, a few buyers for each address and
 * day, and each product once for a buyer and day. Takes the orders in the order of the log.
 */
export class OrderGuard {
  /** An address has another hash each day. */
  private readonly buyers = growingCache<Set<string>>(MOST_REMEMBERED);
  private readonly bought = growingCache<true>(MOST_REMEMBERED);

  /** `proven`: whether the store sends orders with keys. */
  constructor(private readonly proven: boolean) {}

  /** What the store learns of an order: each of its products. */
  purchasesIn(order: LoggedOrder): Purchase[] {
    const { shopper, evidence, keyed, addressHash } = order;
    if (shopper === null || evidence === null) return [];
    const purchases = evidence.items.map(({ product }) => ({ userId: shopper, product, at: evidence.at }));
    if (keyed || addressHash === null) return purchases;
    if (this.proven || !this.speaksFor(addressHash, shopper)) return [];
    const day = Math.floor(order.receivedAt / DAY);
    return purchases.filter(({ product }) => this.isFirst(`${day} ${shopper} ${product.id}`));
  }

  private speaksFor(address: string, shopper: string): boolean {
    const buyers = this.buyers.get(address) ?? new Set<string>();
    if (!buyers.has(shopper) && buyers.size >= BUYERS_A_DAY) return false;
    this.buyers.set(address, buyers.add(shopper));
    return true;
  }

  private isFirst(name: string): boolean {
    const known = this.bought.get(name) ?? false;
    this.bought.set(name, true);
    return !known;
  }
}
