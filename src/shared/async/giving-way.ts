import { setTimeout as sleep } from 'node:timers/promises';

/** Work in parts that nobody waits for. While others ask for something, it leaves them half of the time: after each part it pauses for as long as that took. */
export class GivingWay {
  private seen: number | null;

  /** `asked`: how many others have asked for something so far; null: that can't be known, so they may always be there. */
  constructor(private readonly asked: () => number | null) {
    this.seen = asked();
  }

  /** Before the next part, with the one that was begun: at once where nobody has asked since the last time. `signal` ends the pause. */
  async after(part: Promise<unknown>, signal: AbortSignal): Promise<void> {
    const before = this.seen;
    this.seen = this.asked();
    if (before !== null && this.seen === before) return;
    const begun = performance.now();
    await part;
    await sleep(performance.now() - begun, undefined, { signal });
  }
}
