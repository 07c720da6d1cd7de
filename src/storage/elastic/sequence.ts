const PER_MS = 4096;
const REPLICAS = 64;
const PER_REPLICA = PER_MS / REPLICAS;

/**
 * Numbers that grow, without asking anybody: `milliseconds × 4096 + replica × 64 + count`. Each is greater than all before
 * it in this process, and greater than those of other replicas as far as their clocks agree; `after` makes it certain for
 * one. Exact in a double until the year 2039.
 */
export class Sequence {
  private ms = 0;
  private count = 0;

  /** `now`: milliseconds. `replica`: 0 to 63, another one for each process where numbers must not be equal. */
  constructor(
    private readonly now: () => number,
    private readonly replica: number,
  ) {
    if (!Number.isInteger(replica) || replica < 0 || replica >= REPLICAS) throw new RangeError(`No replica ${replica}`);
  }

  /** The next number, greater than `after`. */
  next(after = 0): number {
    this.startAt(this.now());
    // More in a millisecond than fit: ahead of the clock, which catches up.
    if (this.count === PER_REPLICA) this.startAt(this.ms + 1);
    if (this.number() <= after) this.startAt(Math.floor(after / PER_MS) + 1);
    const number = this.number();
    this.count += 1;
    return number;
  }

  private startAt(ms: number): void {
    if (ms <= this.ms) return;
    this.ms = ms;
    this.count = 0;
  }

  private number(): number {
    return this.ms * PER_MS + this.replica * PER_REPLICA + this.count;
  }
}
