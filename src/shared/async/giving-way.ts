import { setTimeout as sleep } from 'node:timers/promises';

/** Work in parts that nobody waits for. While others are served, it leaves them half of the time: after each part it pauses for as long as that took. */
export class GivingWay {
  private seen: number;

  /** `served`: how many others were served so far. */
  constructor(private readonly served: () => number) {
    this.seen = served();
  }

  /** Before the next part, with the one that was begun: at once where nobody was served since the last time. `signal` ends the pause. */
  async after(part: Promise<unknown>, signal: AbortSignal): Promise<void> {
    const before = this.seen;
    this.seen = this.served();
    if (this.seen === before) return;
    const begun = performance.now();
    await part;
    await sleep(performance.now() - begun, undefined, { signal });
  }
}
