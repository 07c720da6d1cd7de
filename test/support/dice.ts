/** Seeded chance: a failing run can be run again (mulberry32). */
export class Dice {
  constructor(private state: number) {}

  /** From 0 to `end`, exclusive. */
  below(end: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}
