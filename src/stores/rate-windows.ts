/** So long a window counts. */
export const WINDOW_MS = 60_000;

/** Counts by key in windows of a minute, the first of which begins with a key's first count. */
export abstract class RateWindows {
  /** Counts one more and answers 0, or the seconds to wait where `limit` is used up (nothing is counted then). Never throws. */
  abstract take(key: string, limit: number, now: number): Promise<number>;
}

/** Seconds, at least one. */
export function secondsLeft(startedAt: number, now: number): number {
  return Math.max(1, Math.ceil((startedAt + WINDOW_MS - now) / 1000));
}
