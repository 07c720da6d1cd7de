import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Of the time that passes, what a thread may wait for a processor and still be taken for one that has the machine. */
const MOST_WAITED = 0.2;
const TRIES = 8;
const PAUSE_MS = 500;

/**
 * For what is promised within a time that a service has set itself, on a machine that has time for it. What failed while other processes kept
 * this one from running is tried again; what failed otherwise, or every time, has failed.
 */
export async function unlessStarved(work: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    const [since, before] = [performance.now(), waitedMs()];
    try {
      return await work();
    } catch (error) {
      const share = (waitedMs() - before) / (performance.now() - since);
      if (tried === TRIES || share < MOST_WAITED) throw error;
    }
    await wait(PAUSE_MS * tried);
  }
}

/** How long this thread could have run and was not let, so far; 0 where the system does not tell. */
function waitedMs(): number {
  try {
    const [, waited] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return 0;
  }
}
