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
 * Numbers of attempts from 1 on, with a pause between each two: `for await (const attempt of attempts({ times: 5 }))`. After the last
 * one the loop ends.
 *
 * Own code instead of p-retry: its pauses are random between one and two times a length, and equal once the longest is reached, so that
 * writers who met would meet again.
 */
export async function* attempts(options: Attempts): AsyncGenerator<number> {
  const { times = Infinity, forMs = Infinity, signal } = options;
  const begun = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    yield attempt;
    const ms = pauseAfter(attempt, options);
    if (attempt >= times || performance.now() + ms - begun > forMs) return;
    if (ms > 0) await sleep(ms, undefined, signal ? { signal } : {});
    signal?.throwIfAborted();
  }
}

/** Tries again while `work` fails with an error that `again` says true to; then throws the last error. */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  options: Attempts & { again: (error: unknown) => boolean | Promise<boolean> },
): Promise<T> {
  let failure: unknown;
  for await (const attempt of attempts(options)) {
    try {
      return await work(attempt);
    } catch (error) {
      failure = error;
      if (!(await options.again(error))) break;
    }
  }
  throw failure;
}

/** Tries again while `work` answers null, which says that another writer was faster; then throws the error of `exhausted`. */
export async function retryOnConflict<T>(
  work: (attempt: number) => Promise<T | null>,
  options: Attempts & { exhausted: () => Error },
): Promise<T> {
  for await (const attempt of attempts(options)) {
    const result = await work(attempt);
    if (result !== null) return result;
  }
  throw options.exhausted();
}

function pauseAfter(attempt: number, { pauseMs = 0, growth = Infinity, steady = false }: Attempts): number {
  return steady ? pauseMs : Math.random() * pauseMs * Math.min(attempt, growth);
}
