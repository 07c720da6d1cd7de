/** Length of a window. */
export const WINDOW_MS = 60_000;

/** The result of one count. */
export interface Taken {
  /** False: the limit was used up, and nothing was counted. */
  passed: boolean;
  /** How many more may pass in this window. */
  left: number;
  /** Seconds until the window ends, at least one. */
  seconds: number;
  /** False: this process counted for itself alone, since it can't reach the others. */
  shared: boolean;
}

/**
 * Counts by key in windows of a minute. A window begins with the first count of its key. It lasts no longer where the clock steps back meanwhile;
 * where it steps forward, it is over.
 */
export abstract class RateLimiter {
  /** Counts one more, or `weight`, where `limit` is not used up. Never throws. */
  abstract take(key: string, limit: number, now: number, weight?: number): Promise<Taken>;
}

/** The result of a call of some weight where a window held `count` before it. */
export function taken(
  window: { startedAt: number; count: number },
  { limit, now, weight, shared }: { limit: number; now: number; weight: number; shared: boolean },
): Taken {
  const { startedAt, count } = window;
  return {
    passed: count < limit,
    left: Math.max(0, limit - count - weight),
    // A window that seems to begin in the future is one that a clock has stepped back in.
    seconds: Math.max(1, Math.ceil(Math.min(WINDOW_MS, startedAt + WINDOW_MS - now) / 1000)),
    shared,
  };
}
