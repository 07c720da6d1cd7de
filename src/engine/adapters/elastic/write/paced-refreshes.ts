import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** A process refreshes an index for one part in so many of the time. */
const PARTS = 3;
/** Milliseconds: a slow refresh does not keep the next waiting for longer. */
const LONGEST_PAUSE = 200;
/** Milliseconds that a write may wait to be seen: for the refresh under way, the pause after it, and its own. */
const LONGEST_WAIT = 600;
/** Indices whose pace is kept; of more, the one that was refreshed the longest time ago begins anew. */
const MOST_INDICES = 1000;

/**
 * Makes what was written visible to searches: at once where nothing was lately, and then the more rarely the longer a refresh takes, because
 * each makes a segment that is merged later. Callers share the next one while one is under way, and in the pause after it.
 */
export class PacedRefreshes {
  private readonly indices = new LRUCache<string, { free: Promise<unknown>; next: Promise<void> | null }>({
    max: MOST_INDICES,
  });

  constructor(private readonly ask: (index: string) => Promise<void>) {}

  refresh(index: string): Promise<void> {
    const pace = this.indices.get(index) ?? { free: Promise.resolve(), next: null };
    this.indices.set(index, pace);
    pace.next ??= pace.free.then(() => {
      pace.next = null;
      const began = performance.now();
      const done = this.ask(index);
      const paused = (): Promise<void> => sleep(pauseAfter(performance.now() - began));
      pace.free = done.then(paused, paused);
      return done;
    });
    return pace.next;
  }
}

export const pauseAfter = (tookMs: number): number =>
  Math.min(LONGEST_PAUSE, (PARTS - 1) * tookMs, Math.max(0, LONGEST_WAIT - 2 * tookMs));
