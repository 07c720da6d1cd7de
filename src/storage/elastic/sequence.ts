/** Numbers of one millisecond, over all processes. */
const PER_MS = 4096;
/** As many processes can write at once without ever making the same number. */
export const MOST_PROCESSES = 64;
/** Numbers of one millisecond that each process has for itself. */
const OWN = PER_MS / MOST_PROCESSES;

/** No number made from that time on (epoch ms) is below this one. */
export const seqAt = (time: number): number => Math.floor(time) * PER_MS;

/**
 * Numbers that grow, without asking anybody: `milliseconds × 4096 + process × 64 + count`. Each is greater than all before it in this
 * process, and greater than those of other processes as far as their clocks agree. More than 64 in a millisecond run ahead of the clock.
 * Exact in a double until the year 2039.
 */
export class Sequence {
  private ms: number;
  private count = OWN;

  /**
   * `process`: 0 to 63, another one for each process where numbers must not be equal. `usedUntil` (epoch ms): until when somebody else
   * may have used this `process`.
   */
  constructor(
    private readonly process: number,
    usedUntil = 0,
  ) {
    if (!Number.isInteger(process) || process < 0 || process >= MOST_PROCESSES) {
      throw new RangeError(`No process ${process}`);
    }
    this.ms = usedUntil;
  }

  /** The next number, greater than `after` too. `now`: epoch ms. */
  next(now: number, after = 0): number {
    this.startAt(now);
    if (this.count === OWN) this.startAt(this.ms + 1);
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
    return seqAt(this.ms) + this.process * OWN + this.count;
  }
}
