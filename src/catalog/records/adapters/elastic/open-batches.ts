/** Products by id, with the version that has to be in the engine. */
export type OpenProducts = Map<string, number>;

/**
 * Batches whose records are written and whose products are not all known to be in the engine, as far as this process
 * knows them: its own, and those it found left behind.
 */
export class OpenBatches {
  private readonly stores = new Map<string, Map<string, OpenProducts>>();

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

  /** The batches that are done with this. */
  settle(store: string, indexed: readonly { productId: string; version: number }[]): string[] {
    const batches = this.stores.get(store) ?? new Map<string, OpenProducts>();
    const done: string[] = [];
    for (const [id, open] of batches) {
      for (const { productId, version } of indexed) {
        if (version >= (open.get(productId) ?? Number.POSITIVE_INFINITY)) open.delete(productId);
      }
      if (open.size > 0) continue;
      batches.delete(id);
      done.push(id);
    }
    if (batches.size === 0) this.stores.delete(store);
    return done;
  }

  forget(store: string): void {
    this.stores.delete(store);
  }
}
