import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../shared/clock';

/** A store is looked at each time so many times fewer products were written than make it large. */
const PARTS = 10;
/** Milliseconds after such a number for which more are expected. */
const FED_MS = 10_000;
/** So many times larger than others that have to be moved, a store is moved while it is fed: the rest of its feed may be most of it. */
const MUCH = 2.5;
/** Stores whose writes are counted; of more, those that were written to the longest time ago begin anew. */
const MOST_STORES = 10_000;

interface Written {
  /** Since the store was looked at. */
  products: number;
  /** Epoch ms; null: not yet. */
  looked: number | null;
}

/**
 * When a store that outgrows its pool is moved. A feed is let end first, for the move would hold it up. One that goes on and on is not waited for:
 * what comes after the move is written once and not twice.
 */
export class Growth {
  private readonly written = new LRUCache<string, Written>({ max: MOST_STORES });
  private tell: (store: string) => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    /** Products from which on a store is moved. */
    private readonly ownFrom: number,
    /** Whether a store has so many products and nobody is moving it. */
    private readonly hasOutgrown: (store: string, products: number) => Promise<boolean>,
  ) {}

  onGrown(tell: (store: string) => void): void {
    this.tell = tell;
  }

  /** Whether the move of a store with so many products waits for its feed to end. */
  waits(store: string, products: number): boolean {
    return products < this.muchLarger && this.isFed(store);
  }

  /** Returns at once: nobody waits for it. */
  wrote(store: string, count: number): void {
    const known = this.written.get(store) ?? { products: 0, looked: null };
    const products = known.products + count;
    if (products < this.ownFrom / PARTS) {
      this.written.set(store, { ...known, products });
      return;
    }
    this.written.set(store, { products: 0, looked: this.clock.now() });
    this.hasOutgrown(store, this.muchLarger).then(
      (isDue) => isDue && this.tell(store),
      // The next look at all stores finds it.
      () => undefined,
    );
  }

  private get muchLarger(): number {
    return this.ownFrom * MUCH;
  }

  private isFed(store: string): boolean {
    const looked = this.written.peek(store)?.looked ?? null;
    return looked !== null && Math.abs(this.clock.now() - looked) < FED_MS;
  }
}
