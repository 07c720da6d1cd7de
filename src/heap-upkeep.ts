import { constants, performance, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

const LOOK_MS = 5000;
/** In looks: a minute. */
const EVERY = 12;
const LONGEST_MS = 30_000;
/** Of resident memory: less is what any minute brings. */
const GROWN_BYTES = 32 * 2 ** 20;
/** A thread that is busy for less of its time has some left. */
const IDLE_SHARE = 0.3;

interface Upkeep {
  /** Of V8, for all threads. */
  setFlag: (flag: string) => void;
  /** Resident bytes. */
  memory: () => number;
  /** Whether this thread had time left since this was asked last. */
  isIdle: () => boolean;
}

function idleness(): () => boolean {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization < IDLE_SHARE;
  };
}

/** Whether it tells of a garbage collection of the whole heap. */
const isOfWholeHeap = (entry: PerformanceEntry): boolean =>
  (entry as PerformanceEntry & { detail?: { kind?: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

/**
 * V8 leaves what is still in use where it is until a page of its heap is almost empty. So a process that runs for days takes more and more
 * memory beside what is in it. `--optimize-for-size` has it move together what is in pages of which a fifth is free, some megabytes at a
 * time, and collect garbage sooner, in every thread, but makes code slower as long as it is set. Here it is set once a minute, and sooner where
 * a crowd has left: memory has grown, and the thread has time. It is set until this thread has collected the garbage of its whole heap once, and
 * for half a minute at most. Returns what ends it.
 */
export function keepHeapCompact({
  setFlag = setFlagsFromString,
  memory = process.memoryUsage.rss,
  isIdle = idleness(),
}: Partial<Upkeep> = {}): () => void {
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isOfWholeHeap)) rest();
  });
  let resting: NodeJS.Timeout | null = null;
  let [looks, least] = [0, memory()];
  const rest = (): void => {
    if (!resting) return;
    clearTimeout(resting);
    resting = null;
    least = memory();
    observer.disconnect();
    setFlag('--no-optimize-for-size');
  };
  const timer = setInterval(() => {
    looks++;
    const [idle, resident] = [isIdle(), memory()];
    // What a collection has freed is given back a little later.
    least = Math.min(least, resident);
    const isDue = looks >= EVERY || (idle && resident - least > GROWN_BYTES);
    if (resting || !isDue) return;
    looks = 0;
    resting = setTimeout(rest, LONGEST_MS).unref();
    setFlag('--optimize-for-size');
    observer.observe({ entryTypes: ['gc'] });
  }, LOOK_MS).unref();
  return () => {
    clearInterval(timer);
    rest();
  };
}
