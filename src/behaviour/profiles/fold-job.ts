import type { NewJob } from '../../jobs/job-queue';

export const FOLD = 'profiles.fold';

/** Whose overlay has an event that came so long ago, milliseconds; null: one that is settled. */
export type FoldRequest = { afterMs: number } | null;

/** Events stay in the overlay this long: by then those that were under way when they came are in the log, too. */
export const SETTLED_MS = 10_000;

/** A visit is folded a few times, not at each of its events: a fold reads and writes the whole vector. */
export const FOLD_AFTER_MS = 120_000;

/** For when many events came at once: such overlays are long, and every search of such a shopper would read all of it. */
export function foldSoon(store: string): NewJob {
  return { kind: FOLD, store, key: 'fold', payload: null, delayMs: SETTLED_MS };
}
