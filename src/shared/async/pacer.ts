import { ownTurn } from './own-turn';

/** A request needs a handful of turns, and waits for a slice before each of them. */
const LONGEST_SLICE_MS = 1;

/** Lets the event loop breathe in the middle of long work: `await pacer.breathe()` between its pieces. */
export class Pacer {
  private since = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.since < LONGEST_SLICE_MS) return;
    await ownTurn();
    this.since = performance.now();
  }
}
