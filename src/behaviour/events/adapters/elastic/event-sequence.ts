/** Sequence numbers of one millisecond, over all processes. */
const A_MS = 4096;
/** Of those, each process has this many for itself. */
const OWN = 64;
/** As many processes can write at once. */
export const MOST_PROCESSES = A_MS / OWN;

/** What no event written from that time on (epoch ms) goes below. */
export const seqAt = (time: number): number => Math.floor(time) * A_MS;

/**
 * Sequence numbers of one process: `ms * 4096 + number of the process * 64 + counter`. They grow, and no other process with
 * another number makes the same. More than 64 in a millisecond run ahead of the clock.
 */
export class Sequence {
  private ms = 0;
  private counter = 0;

  /** `after` (epoch ms): when whoever had this number before was through with it. */
  constructor(
    private readonly process: number,
    after: number,
  ) {
    this.ms = after;
    this.counter = OWN - 1;
  }

  next(now: number): number {
    if (now > this.ms) {
      this.ms = now;
      this.counter = 0;
    } else if (++this.counter === OWN) {
      this.ms += 1;
      this.counter = 0;
    }
    return seqAt(this.ms) + this.process * OWN + this.counter;
  }
}
