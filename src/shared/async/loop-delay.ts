const EVERY_MS = 20;
/** Of each sample in the mean. */
const SHARE = 1 / 8;

/** How long a turn of the event loop takes of late: what a timer is late by, on average. Does not keep the process alive. */
export class LoopDelay {
  private mean = 0;
  private due = performance.now() + EVERY_MS;
  private readonly timer = setInterval(() => this.sample(), EVERY_MS).unref();

  /** Milliseconds. */
  get ms(): number {
    return this.mean;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    const now = performance.now();
    this.mean += (Math.max(0, now - this.due) - this.mean) * SHARE;
    this.due = now + EVERY_MS;
  }
}
