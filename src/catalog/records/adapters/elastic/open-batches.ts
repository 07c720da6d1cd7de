import { Delayed } from '../../../../shared/async/delayed';
import type { BulkBatcher, BulkOperation } from '../../../../storage/elastic/bulk-batcher';

/** Milliseconds for which notes that are done with are collected, so that they cost few flushes to disk. */
const CLOSED_AFTER = 500;

/** Products by id, with the version that has to be in the engine. */
type OpenProducts = Map<string, number>;

/**
 * Batches whose records are written and whose products are not all known to be in the engine, as far as this process
 * knows them: its own, and those it found left behind. Removes the note of each that is done with.
 */
export class OpenBatches {
  private readonly stores = new Map<string, Map<string, OpenProducts>>();
  private readonly closing: BulkOperation[] = [];
  /** Nobody waits for it: a note that stays is work done twice. */
  private readonly close: Delayed;

  constructor(
    bulk: BulkBatcher,
    private readonly index: string,
  ) {
    this.close = new Delayed(CLOSED_AFTER, () => bulk.write(this.closing.splice(0)));
  }

  add(store: string, id: string, products: OpenProducts): void {
    const batches = this.stores.get(store) ?? new Map<string, OpenProducts>();
    this.stores.set(store, batches.set(id, products));
  }

  has(store: string, id: string): boolean {
    return this.stores.get(store)?.has(id) ?? false;
  }

  /** The products of these batches that are still open. */
  products(store: string, ids: readonly string[]): string[] {
    const batches = this.stores.get(store);
    return [...new Set(ids.flatMap((id) => [...(batches?.get(id)?.keys() ?? [])]))];
  }

  /** Closes the batches whose last products these are. */
  indexed(store: string, products: readonly { productId: string; version: number }[]): void {
    const batches = this.stores.get(store) ?? new Map<string, OpenProducts>();
    for (const [id, open] of batches) {
      for (const { productId, version } of products) {
        if (version >= (open.get(productId) ?? Number.POSITIVE_INFINITY)) open.delete(productId);
      }
      if (open.size > 0) continue;
      batches.delete(id);
      this.closing.push({ type: 'delete', index: this.index, id, routing: store });
      this.close.schedule();
    }
    if (batches.size === 0) this.stores.delete(store);
  }

  forget(store: string): void {
    this.stores.delete(store);
  }
}
