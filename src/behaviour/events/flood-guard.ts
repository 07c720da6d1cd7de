import { LRUCache } from 'lru-cache';

/** Nobody looks at five products a second for a minute. */
const MOST_A_MINUTE = 300;
const MINUTE = 60_000;
const MOST_SHOPPERS = 50_000;

/** Knows shoppers that send more than a person can do: what is too much is kept and does not count. */
export class FloodGuard {
  private readonly minutes = new LRUCache<string, { minute: number; events: number }>({ max: MOST_SHOPPERS });

  isFlood(shopper: string, now: number): boolean {
    const minute = Math.floor(now / MINUTE);
    const known = this.minutes.get(shopper);
    if (known?.minute !== minute) {
      this.minutes.set(shopper, { minute, events: 1 });
      return false;
    }
    known.events += 1;
    return known.events > MOST_A_MINUTE;
  }
}
