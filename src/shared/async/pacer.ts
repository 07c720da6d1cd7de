/** Well under what other requests would notice. */
const LONGEST_SLICE_MS = 3;

const waiting: (() => void)[] = [];
let planned = false;

/** In a turn of the event loop in which no other long work has gone on. */
function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    plan();
  });
}

function plan(): void {
  if (planned) return;
  planned = true;
  setImmediate(() => {
    planned = false;
    waiting.shift()?.();
    if (waiting.length > 0) plan();
  });
}

/**
 * Lets the event loop breathe in the middle of long work: `await pacer.breathe()` between its pieces. Of several works one goes on in a turn of the
 * loop: a request takes a handful of turns, and would wait for each of them in every one.
 */
export class Pacer {
  private since = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.since < LONGEST_SLICE_MS) return;
    await nextSlice();
    this.since = performance.now();
  }
}
