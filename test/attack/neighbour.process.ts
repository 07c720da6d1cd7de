import { performance } from 'node:perf_hooks';

/** Milliseconds: as long as an attacker that has some requests at once is busy or waits. */
const SLICE_MS = 10;
/** Whoever started it should have ended it by then. */
const LONGEST_MS = 60_000;

/** Uses the processor for a share of the time, and nothing else. */
function main(share: number): void {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  const ends = performance.now() + LONGEST_MS;
  for (let now = performance.now(); now < ends; now = performance.now()) {
    const until = now + SLICE_MS * share;
    for (let busy = now; busy < until; busy = performance.now());
    if (share < 1) Atomics.wait(nothing, 0, 0, SLICE_MS * (1 - share));
  }
}

main(Math.min(1, Number(process.argv[2])));
