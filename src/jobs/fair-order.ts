/** Which store's turn it is, for each kind of job: the one that was served longest ago. What other processes serve is not known, and need not be. */
export class FairOrder {
  private readonly served = new Map<string, Map<string, number>>();
  private turns = 0;

  /** The stores in the order of their turns; those never served come first, as they are given. */
  order(kind: string, stores: readonly string[]): string[] {
    const served = this.served.get(kind);
    return stores.toSorted((a, b) => (served?.get(a) ?? 0) - (served?.get(b) ?? 0));
  }

  /** A job of this store begins. */
  serve(kind: string, store: string): void {
    const served = this.served.get(kind) ?? new Map<string, number>();
    this.served.set(kind, served.set(store, ++this.turns));
  }
}
