import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

const EVERY_MS = 60_000;
const LONGEST_MS = 30_000;

/** Whether it tells of a garbage collection of the whole heap. */
const isOfWholeHeap = (entry: PerformanceEntry): boolean =>
  (entry as PerformanceEntry & { detail?: { kind?: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

/**
 * V8 leaves what is still in use where it is until a page of its heap is almost empty. So a process that runs for days takes more and more
 * memory beside what is in it. `--optimize-for-size` has it move together what is in pages of which a fifth is free, some megabytes at a
 * time, and collect garbage sooner, in every thread, but makes code slower as long as it is set. Here it is set once a minute, until this
 * thread has collected the garbage of its whole heap once, and for half a minute at most. Returns what ends it. `setFlag`: of V8, for all threads.
 */
export function keepHeapCompact(setFlag: (flag: string) => void = setFlagsFromString): () => void {
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isOfWholeHeap)) rest();
  });
  let resting: NodeJS.Timeout | null = null;
  const rest = (): void => {
    if (!resting) return;
    clearTimeout(resting);
    resting = null;
    observer.disconnect();
    setFlag('--no-optimize-for-size');
  };
  const timer = setInterval(() => {
    resting = setTimeout(rest, LONGEST_MS).unref();
    setFlag('--optimize-for-size');
    observer.observe({ entryTypes: ['gc'] });
  }, EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    rest();
  };
}
