import type { LRUCache } from 'lru-cache';
import { RateLimiter, type Taken, taken, WINDOW_MS } from '../../rate-limiter';
import { growingCache } from '../../../../shared/growing-cache';

/** In memory. Holds the keys used last, so that a flood of addresses costs no memory beyond `keys`. */
export class InProcessRateLimiter extends RateLimiter {
  private readonly windows: LRUCache<string, { startedAt: number; count: number }>;

  constructor(keys = 100_000) {
    super();
    this.windows = growingCache(keys);
  }

  override async take(key: string, limit: number, now: number, weight = 1): Promise<Taken> {
    let window = this.windows.get(key);
    if (!window || now - window.startedAt >= WINDOW_MS) {
      window = { startedAt: now, count: 0 };
      this.windows.set(key, window);
    }
    // Where the clock has stepped back, what is left of the window is a minute at most.
    window.startedAt = Math.min(window.startedAt, now);
    const { startedAt, count } = window;
    if (count < limit) window.count += weight;
    return taken({ startedAt, count }, { limit, now, weight, shared: true });
  }
}
