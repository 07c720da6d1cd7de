import { ownTurn } from './own-turn';

/** Well under what other requests would notice. */
const LONGEST_SLICE_MS = 3;

/** Lets the event loop breathe in the middle of long work: `await pacer.breathe()` between its pieces. */
export class Pacer {
  private since = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.since < LONGEST_SLICE_MS) return;
    await ownTurn();
    this.since = performance.now();
  }
}
