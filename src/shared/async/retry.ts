import { setTimeout as sleep } from 'node:timers/promises';

export interface Attempts {
  /** Attempts in all; default: no limit. */
  times?: number;
  /** No attempt begins later than so many milliseconds after the first one; default: no limit. */
  forMs?: number;
  /** The pause after attempt n is random, at most `pauseMs * n` milliseconds; default: no pause. */
  pauseMs?: number;
  /** The pause stops growing after so many attempts; default: never. */
  growth?: number;
  /** Every pause is exactly `pauseMs`. */
  steady?: boolean;
  /** Ends a pause, and with it all attempts, with the error of the signal. */
  signal?: AbortSignal;
}

/**
 * Tries again while `work` fails with an error that `again` says true to; then throws the last error.
 *
 * Own code instead of p-retry: its pauses are random between one and two times a length, and equal once the longest is reached, so that
 * writers who met would meet again.
 */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  options: Attempts & { again: (error: unknown) => boolean | Promise<boolean> },
): Promise<T> {
  const begun = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      // `again` may prepare the next attempt, so it is not asked after the last one.
      if (attempt === options.times || !(await options.again(error))) throw error;
      if (!(await pauseAfter(attempt, begun, options))) throw error;
    }
  }
}

/** Tries again while `work` answers null, which says that another writer was faster; then throws the error of `exhausted`. */
export async function retryOnConflict<T>(
  work: (attempt: number) => Promise<T | null>,
  options: Attempts & { exhausted: () => Error },
): Promise<T> {
  const begun = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    const result = await work(attempt);
    if (result !== null) return result;
    if (!(await pauseAfter(attempt, begun, options))) throw options.exhausted();
  }
}

/** Pauses after an attempt. False where it was the last one. */
async function pauseAfter(attempt: number, begun: number, options: Attempts): Promise<boolean> {
  const { times = Infinity, forMs = Infinity, pauseMs = 0, growth = Infinity, steady = false, signal } = options;
  const ms = steady ? pauseMs : Math.random() * pauseMs * Math.min(attempt, growth);
  if (attempt >= times || performance.now() + ms - begun > forMs) return false;
  if (ms > 0) await sleep(ms, undefined, signal ? { signal } : {});
  signal?.throwIfAborted();
  return true;
}
