import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Of the time that passes, what may be lost and still leave this process the machine: this thread waited for a processor, a processor waited
 * for the disk, or was taken by another machine on the same hardware.
 */
const MOST_LOST = 0.2;
/** Of the machine's processor time, what is left over while servers that this process waits for have the machine, too. */
const LEAST_IDLE = 0.1;
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
      const used = usedSince(busy);
      const lost = (waitedMs() - before + used.lostMs) / (performance.now() - since);
      const starved = lost >= MOST_LOST || used.idle < LEAST_IDLE;
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

/** Of all processors since the machine started, in ticks. */
interface ProcessorTime {
  idle: number;
  lost: number;
  total: number;
}

/** What the kernel's interface for processes counts in, whatever it is built with. */
const MS_A_TICK = 10;

/** Null where the system does not tell. */
function processorTime(): ProcessorTime | null {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    // user nice system idle iowait irq softirq steal; guests are in the first two already.
    const ticks = line.split(/\s+/).slice(1, 9).map(Number);
    const [, , , idle = 0, disk = 0, , , stolen = 0] = ticks;
    return { idle, lost: disk + stolen, total: ticks.reduce((sum, one) => sum + one, 0) };
  } catch {
    return null;
  }
}

/** Since then: the share of the processors' time that nobody used, and what was lost to the disk and to other machines. */
function usedSince(before: ProcessorTime | null): { idle: number; lostMs: number } {
  const now = processorTime();
  if (!before || !now || now.total === before.total) return { idle: 1, lostMs: 0 };
  return { idle: (now.idle - before.idle) / (now.total - before.total), lostMs: (now.lost - before.lost) * MS_A_TICK };
}
