/**
 * Items that wait for their turn, by whose they are: `[store, caller]`. Stores take turns (round robin), within a store its callers do, and a
 * caller's own items keep their order. So whoever brings many waits behind their own, and one item waits for at most one of each other.
 */
export class FairQueue<T> {
  private readonly lines = new Map<string, FairQueue<T>>();
  private readonly items: T[] = [];
  private count = 0;

  get size(): number {
    return this.count;
  }

  push([name, ...rest]: readonly string[], item: T): void {
    this.count += 1;
    if (name === undefined) {
      this.items.push(item);
      return;
    }
    let line = this.lines.get(name);
    if (!line) this.lines.set(name, (line = new FairQueue()));
    line.push(rest, item);
  }

  /** The item whose turn it is. `mayGo`: whose turn is not passed over; asked for a store, and then for each of its callers. */
  shift(mayGo: (...names: string[]) => boolean = () => true): T | undefined {
    if (this.items.length > 0) {
      this.count -= 1;
      return this.items.shift();
    }
    for (const [name, line] of this.lines) {
      if (!mayGo(name)) continue;
      const item = line.shift((...more) => mayGo(name, ...more));
      if (item === undefined) continue;
      // Whoever had a turn goes to the end.
      this.lines.delete(name);
      if (line.size > 0) this.lines.set(name, line);
      this.count -= 1;
      return item;
    }
    return undefined;
  }

  /** Items of these names. */
  of([name, ...rest]: readonly string[]): number {
    return name === undefined ? this.items.length : (this.lines.get(name)?.of(rest) ?? 0);
  }

  /** Items that would have their turn before a new one of these names. */
  ahead([name, ...rest]: readonly string[]): number {
    if (name === undefined) return this.items.length;
    const own = this.lines.get(name)?.ahead(rest) ?? 0;
    let others = 0;
    for (const [other, { size }] of this.lines) if (other !== name) others += Math.min(size, own + 1);
    return own + others;
  }
}
