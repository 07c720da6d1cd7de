import { MOST_OF_AN_ADDRESS } from './contributions';
import { growingCache } from '../../shared/growing-cache';

const DAY = 86_400_000;
/** Terms a day that one address adds to without keys: a carrier's or an office's may stand for many shoppers. */
const TERMS_OF_AN_ADDRESS = 500;
const MOST_REMEMBERED = 20_000;

/** A search that may count. */
export interface CountedSearch {
  store: string;
  term: string;
  /** The id that was sent, or the address. */
  shopper: string;
  /** Null: store keys came along. */
  address: string | null;
  now: number;
}

/**
 * Whether a search counts once more: a shopper counts once a day for a term, an address without keys for a few shoppers. In memory, for
 * this process: it keeps numbers from being bought, and most searches from being written at all.
 */
export class TermLimits {
  private readonly counts = growingCache<number>(MOST_REMEMBERED);

  admit({ store, term, shopper, address, now }: CountedSearch): boolean {
    const today = Math.floor(now / DAY);
    const key = (...parts: string[]): string => JSON.stringify([today, store, ...parts]);
    const once = key('shopper', shopper, term);
    if (this.counts.get(once) !== undefined) return false;
    const limits: [string, number][] =
      address === null
        ? []
        : [
            [key('address', address), TERMS_OF_AN_ADDRESS],
            [key('address', address, term), MOST_OF_AN_ADDRESS],
          ];
    if (limits.some(([name, most]) => (this.counts.get(name) ?? 0) >= most)) return false;
    for (const name of [once, ...limits.map(([limited]) => limited)]) {
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    }
    return true;
  }
}
