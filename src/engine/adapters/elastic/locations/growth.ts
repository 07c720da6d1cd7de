import { LRUCache } from 'lru-cache';

/** A store is looked at each time so many times fewer products were written than make it large. */
const PARTS = 10;
/** So many times larger than others that have to be moved, a store is moved while it is fed: the rest of its feed may be most of it. */
const MUCH = 2.5;
/** Stores whose writes are counted; of more, those that were written to the longest time ago begin anew. */
const MOST_STORES = 10_000;

/** Tells of stores in pools that a feed makes much too large for one: what comes after the move is written once, and not to the pool first. */
export class Growth {
  private readonly written = new LRUCache<string, number>({ max: MOST_STORES });
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
    const products = (this.written.get(store) ?? 0) + count;
    const isMany = products >= this.ownFrom / PARTS;
    this.written.set(store, isMany ? 0 : products);
    if (!isMany) return;
    this.hasOutgrown(store, this.ownFrom * MUCH).then(
      (isDue) => isDue && this.tell(store),
      // The next look at all stores finds it.
      () => undefined,
    );
  }
}
