import { LRUCache } from 'lru-cache';
import { REPEATED_WITHIN_MS, Deduplicator } from '../../deduplicator';

const MOST_REMEMBERED = 100_000;

interface Seen {
  at: number;
  done: Promise<void>;
}

/** In memory, for this process. */
export class InProcessDeduplicator extends Deduplicator {
  private readonly seen = new LRUCache<string, Seen>({ max: MOST_REMEMBERED });

  override async once(
    shopper: string,
    content: string,
    options: { now: number; work: () => Promise<void> },
  ): Promise<void> {
    const key = `${shopper}\n${content}`;
    for (let first = this.seen.get(key); first; first = this.seen.get(key)) {
      if (Math.abs(options.now - first.at) >= REPEATED_WITHIN_MS) break;
      try {
        await first.done;
        return;
      } catch {
        if (this.seen.get(key) === first) this.seen.delete(key);
      }
    }
    const done = options.work();
    const own: Seen = { at: options.now, done };
    this.seen.set(key, own);
    try {
      await done;
    } catch (error) {
      if (this.seen.get(key) === own) this.seen.delete(key);
      throw error;
    }
  }

  override async forget(shopper: string): Promise<void> {
    const prefix = `${shopper}\n`;
    const own = Array.from(this.seen.keys()).filter((key) => key.startsWith(prefix));
    for (const key of own) this.seen.delete(key);
  }
}
