/** How many each store has of something, each of its callers, and all of them. */
export class Shares {
  private readonly counts = new Map<string, number>();
  private sum = 0;

  get all(): number {
    return this.sum;
  }

  /** `[store]` or `[store, caller]`. */
  of(names: readonly string[]): number {
    return this.counts.get(names.join('\n')) ?? 0;
  }

  add([store, caller]: readonly [store: string, caller: string], count: number): void {
    this.sum += count;
    for (const key of [store, `${store}\n${caller}`]) {
      const own = (this.counts.get(key) ?? 0) + count;
      if (own > 0) this.counts.set(key, own);
      else this.counts.delete(key);
    }
  }
}
