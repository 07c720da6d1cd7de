import { LRUCache } from 'lru-cache';

/** A store is looked at each time so many times fewer products were written than make it large. */
const PARTS = 10;
/** So many times larger than others that have to be moved, a store is moved while it is fed: the rest of its feed may be most of it. */
const MUCH = 2.5;
/** A feed is over when nothing was written for so many milliseconds. */
const QUIET_MS = 5000;
/** Stores whose writes are counted; of more, those that were written to the longest time ago begin anew. */
const MOST_STORES = 10_000;

interface Written {
  /** Products, since the store was looked at. */
  count: number;
  /** Of a store that was written much to: looks at it when its feed is over. */
  quiet?: NodeJS.Timeout;
}

/**
 * Tells of stores in pools that a feed makes too large for one: when it is over, so that neither holds the other up; of those that it makes much too
 * large at once, for what comes after the move is written once, and not to the pool first.
 */
export class Growth {
  private readonly written = new LRUCache<string, Written>({
    max: MOST_STORES,
    dispose: ({ quiet }) => clearTimeout(quiet),
  });
  private tell: (store: string) => void = () => undefined;

  constructor(
    /** Products from which on a store has to be moved. */
    private readonly ownFrom: number,
    /** Whether a store has so many products and nobody is moving it. */
    private readonly hasOutgrown: (store: string, products: number) => Promise<boolean>,
  ) {}

  onGrown(tell: (store: string) => void): void {
    this.tell = tell;
  }

  /** Returns at once: nobody waits for it. */
  wrote(store: string, count: number): void {
    const written = this.written.get(store) ?? { count: 0 };
    written.count += count;
    written.quiet?.refresh();
    if (written.count >= this.ownFrom / PARTS) {
      written.count = 0;
      written.quiet ??= setTimeout(() => this.ended(store), QUIET_MS).unref();
      this.look(store, this.ownFrom * MUCH);
    }
    this.written.set(store, written);
  }

  private ended(store: string): void {
    this.written.delete(store);
    this.look(store, this.ownFrom);
  }

  private look(store: string, least: number): void {
    this.hasOutgrown(store, least).then(
      (isDue) => isDue && this.tell(store),
      // The next look at all stores finds it.
      () => undefined,
    );
  }
}
