import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Of the time that passes, what a thread may wait for a processor and still be taken for one that has the machine. */
const MOST_WAITED = 0.2;
/** Of the machine's processor time, what is left over while servers that this process waits for have the machine, too. */
const LEAST_IDLE = 0.1;
/** Of the machine's processor time, what it wanted and did not get: others on its host had it. */
const MOST_STOLEN = 0.05;
const TRIES = 8;
const PAUSE_MS = 500;

/**
 * For what is promised within a time that a service has set itself, on a machine that has time for it. What failed while other processes kept
 * this one from running is tried again; what failed otherwise, or every time, has failed.
 */
export async function unlessStarved(work: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    const [since, before, busy] = [performance.now(), waitedMs(), processorTime()];
    try {
      return await work();
    } catch (error) {
      const share = (waitedMs() - before) / (performance.now() - since);
      const { idle, stolen } = sharesSince(busy);
      const starved = share >= MOST_WAITED || stolen >= MOST_STOLEN || idle < LEAST_IDLE;
      if (tried === TRIES || !starved) throw error;
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

interface ProcessorTime {
  idle: number;
  stolen: number;
  total: number;
}

/** Of all processors since the machine started, in ticks; null where the system does not tell. */
function processorTime(): ProcessorTime | null {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    const ticks = line.split(/\s+/).slice(1).map(Number);
    const [, , , idle = 0, , , , stolen = 0] = ticks;
    // What guests of this machine take (behind it) is in the first two already.
    return { idle, stolen, total: ticks.slice(0, 8).reduce((sum, one) => sum + one, 0) };
  } catch {
    return null;
  }
}

/** The shares of the processor time since then that nobody used, and that was taken from the machine. */
function sharesSince(before: ProcessorTime | null): { idle: number; stolen: number } {
  const now = processorTime();
  if (!before || !now || now.total === before.total) return { idle: 1, stolen: 0 };
  const total = now.total - before.total;
  return { idle: (now.idle - before.idle) / total, stolen: (now.stolen - before.stolen) / total };
}
