import type { NewJob } from '../../jobs/job-queue';

export const AGGREGATE = 'profiles.fold';

/** Whose recent events has an event that came so long ago, milliseconds; null: one that is settled. */
export type AggregateRequest = { afterMs: number } | null;

/** Events stay in the recent events this long: by then those that were under way when they came are in the log, too. */
export const SETTLED_MS = 10_000;

/** A visit is aggregated a few times, not at each of its events: a aggregate reads and writes the whole vector. */
export const AGGREGATE_AFTER_MS = 120_000;

/** For when many events came at once: such recent events are long, and every search of such a shopper would read all of it. */
export function aggregateSoon(store: string): NewJob {
  return { kind: AGGREGATE, store, key: 'fold', payload: null, delayMs: SETTLED_MS };
}
