import type { LRUCache } from 'lru-cache';
import { Deduplicator, REPEATED_WITHIN_MS, type OnceOptions } from '../../deduplicator';
import { growingCache } from '../../../../shared/growing-cache';

const MOST_REMEMBERED = 100_000;
/** By no clock that can step: after a step back an hour the same times come once more. */
const KEPT_MS = 2 * REPEATED_WITHIN_MS;

interface Seen {
  at: number;
  done: Promise<void>;
}

/** In memory, for this process. */
export class InProcessDeduplicator extends Deduplicator {
  private readonly seen: LRUCache<string, Seen>;

  /** `elapsed`: milliseconds since some moment. */
  constructor(elapsed = (): number => performance.now()) {
    super();
    this.seen = growingCache(MOST_REMEMBERED, { ttl: KEPT_MS, ttlResolution: 0, perf: { now: elapsed } });
  }

  override async once(shopper: string, content: string, { now, unless, work }: OnceOptions): Promise<void> {
    const key = `${shopper}\n${content}`;
    const names = unless === undefined ? [key] : [key, `${shopper}\n${unless}`];
    for (let before = this.seenAt(names, now); before; before = this.seenAt(names, now)) {
      try {
        return await before.first.done;
      } catch {
        this.forgetFailed(before.name, before.first);
      }
    }
    const own: Seen = { at: now, done: work() };
    this.seen.set(key, own);
    try {
      await own.done;
    } catch (error) {
      this.forgetFailed(key, own);
      throw error;
    }
  }

  override async forget(shopper: string): Promise<void> {
    const isOwn = (key: string): boolean => key.startsWith(`${shopper}\n`);
    for (const key of Array.from(this.seen.keys()).filter(isOwn)) this.seen.delete(key);
  }

  private seenAt(names: readonly string[], now: number): { name: string; first: Seen } | null {
    for (const name of names) {
      const first = this.seen.get(name);
      if (first && Math.abs(now - first.at) < REPEATED_WITHIN_MS) return { name, first };
    }
    return null;
  }

  private forgetFailed(key: string, seen: Seen): void {
    if (this.seen.get(key) === seen) this.seen.delete(key);
  }
}
