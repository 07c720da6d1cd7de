/** Of each new measurement in the mean. */
export const NEWEST = 1 / 8;

/** How fast work ends, one after the other, while more waits than can begin. */
export class EndingPace {
  /** Milliseconds between the ends of two. */
  ms = 0;
  /** When the last one ended, as `performance.now()`; 0: nothing waited then. */
  private endedAt = 0;

  ended(moreWaits: boolean): void {
    const now = performance.now();
    if (this.endedAt > 0) this.ms += (now - this.endedAt - this.ms) * NEWEST;
    this.endedAt = moreWaits ? now : 0;
  }
}
