/** A small repeatable source of chance (splitmix32): two runs of a benchmark do the same work. */
export class Chance {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    let mixed = this.state ^ (this.state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  of<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('There is nothing to choose from');
    return item;
  }
}

/** Ranks from 0 up to, not including, `size`, drawn by Zipf's law: the rank r with a chance proportional to 1 / (r + 1). */
export class Zipf {
  private readonly cumulative: Float64Array;

  constructor(size: number) {
    let sum = 0;
    this.cumulative = Float64Array.from({ length: size }, (_, rank) => (sum += 1 / (rank + 1)));
  }

  draw(chance: Chance): number {
    const wanted = chance.next() * (this.cumulative.at(-1) ?? 0);
    let [low, high] = [0, this.cumulative.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.cumulative[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
