import { LRUCache } from 'lru-cache';

const MINUTE = 60_000;

interface Window {
  startedAt: number;
  count: number;
}

/**
 * Counts by key in windows of a minute, the first of which begins with a key's first count. Holds the keys used last,
 * so that a flood of addresses costs no memory beyond `keys`.
 */
export class RateWindow {
  private readonly windows: LRUCache<string, Window>;

  constructor(keys = 50_000) {
    this.windows = new LRUCache({ max: keys });
  }

  /** Counts one more and answers 0, or the seconds to wait where `limit` is used up (nothing is counted then). */
  take(key: string, limit: number, now: number): number {
    let window = this.windows.get(key);
    if (!window || now - window.startedAt >= MINUTE) {
      window = { startedAt: now, count: 0 };
      this.windows.set(key, window);
    }
    if (window.count >= limit) return Math.max(1, Math.ceil((window.startedAt + MINUTE - now) / 1000));
    window.count += 1;
    return 0;
  }
}

/** One caller's address as limits count it: an IPv6 subscriber owns a whole /64. */
export function addressKey(address: string): string {
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice(7);
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')];
  return all.slice(0, 4).join(':');
}
