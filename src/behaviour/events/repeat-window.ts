import { LRUCache } from 'lru-cache';

/** Contract section 9: the same content without a time, from the same shopper, counts once in this long. */
const WINDOW_MS = 10_000;
const MOST_REMEMBERED = 100_000;

interface Seen {
  at: number;
  done: Promise<void>;
}

/** Keeps pages that send an event twice from counting twice. In process: a short cut of seconds, never a promise. */
export class RepeatWindow {
  private readonly seen = new LRUCache<string, Seen>({ max: MOST_REMEMBERED });

  /**
   * Does the work unless the same was done within the window. A repeat waits until the first is durable, for its caller takes the answer
   * as a promise, too; where the first fails, the repeat is no repeat.
   */
  async once(shopper: string, content: string, options: { now: number; work: () => Promise<void> }): Promise<void> {
    const key = `${shopper}\n${content}`;
    for (let first = this.seen.get(key); first; first = this.seen.get(key)) {
      if (Math.abs(options.now - first.at) >= WINDOW_MS) break;
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

  /** An erased shopper starts afresh. */
  forget(shopper: string): void {
    const prefix = `${shopper}\n`;
    const own = Array.from(this.seen.keys()).filter((key) => key.startsWith(prefix));
    for (const key of own) this.seen.delete(key);
  }
}
