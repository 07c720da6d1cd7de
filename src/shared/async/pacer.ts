import { setImmediate as nextTurn } from 'node:timers/promises';

/** Well under what other requests would notice. */
const LONGEST_TURN_MS = 4;

/** Lets the event loop breathe in the middle of long work: `await pacer.breathe()` between its pieces. */
export class Pacer {
  private since = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.since < LONGEST_TURN_MS) return;
    await nextTurn();
    this.since = performance.now();
  }
}
