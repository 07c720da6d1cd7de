/** How many each store has of something, each of its callers, and all of them. */
export class Shares {
  private readonly stores = new Map<string, { sum: number; callers: Map<string, number> }>();
  private sum = 0;

  get all(): number {
    return this.sum;
  }

  /** `[store]` or `[store, caller]`. */
  of([store = '', caller]: readonly string[]): number {
    const found = this.stores.get(store);
    return (caller === undefined ? found?.sum : found?.callers.get(caller)) ?? 0;
  }

  /** What would come before one more of these names, of the same store, where its callers take turns: as FairQueue tells it. */
  aheadInStore([store, caller]: readonly [store: string, caller: string]): number {
    const own = this.of([store, caller]);
    let ahead = own;
    for (const [other, count] of this.stores.get(store)?.callers ?? [])
      if (other !== caller) ahead += Math.min(count, own + 1);
    return ahead;
  }

  add([store, caller]: readonly [store: string, caller: string], count: number): void {
    this.sum += count;
    const found = this.stores.get(store) ?? { sum: 0, callers: new Map<string, number>() };
    found.sum += count;
    const own = (found.callers.get(caller) ?? 0) + count;
    if (own > 0) found.callers.set(caller, own);
    else found.callers.delete(caller);
    if (found.sum > 0) this.stores.set(store, found);
    else this.stores.delete(store);
  }
}
