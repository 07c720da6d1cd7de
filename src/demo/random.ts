/** Repeatable random numbers (mulberry32), so that the demo shop is the same wherever it is made. */
export class Random {
  private state: number;

  constructor(seed: number | string) {
    this.state = typeof seed === 'number' ? seed : hash(seed);
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number, both ends included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    return this.at(items, this.next());
  }

  /** As `pick`, the first ones far more often. */
  pickEarly<T>(items: readonly T[]): T {
    return this.at(items, this.next() ** 2.5);
  }

  /** Some of the items, in their order. */
  some<T>(items: readonly T[], count: number): T[] {
    const left = [...items];
    while (left.length > count) left.splice(Math.floor(this.next() * left.length), 1);
    return left;
  }

  private at<T>(items: readonly T[], share: number): T {
    const item = items[Math.floor(share * items.length)];
    if (item === undefined) throw new Error('There is nothing to pick from');
    return item;
  }
}

/** FNV-1a: a seed from a name. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return value;
}
