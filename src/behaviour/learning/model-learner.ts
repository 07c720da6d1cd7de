/** Half-lives and prior of trend, as in the boost template: `14d`. */
export interface TrendRule {
  short: string;
  middle: string;
  long: string;
  prior: number;
}

export interface LearnRequest {
  store: string;
  /** The model is as of this time, epoch ms. */
  now: number;
  /** Whether there is a counted transaction in the log; without one it is not read. */
  sold: boolean;
  trend: TrendRule;
  /** Whether popularity may have been learned before: where nothing was sold, or nothing that counts any more, it is forgotten. */
  forget: boolean;
}

export interface LearnedPart {
  /** For LearnedStats. */
  entries: [key: string, value: unknown][];
  /** For TrendSink. */
  trend: [productId: string, value: number | null][];
}

export interface LearnSummary {
  users: number;
  purchases: number;
  /** Of the catalog, and those that were bought and are in it no more. */
  products: number;
}

export interface Handover {
  /** Is given the model in parts of bounded size, the next when it has taken one. */
  take(part: LearnedPart): Promise<void>;
  signal: AbortSignal;
}

export interface NewPurchases {
  /** At most 1,000 of them. */
  count: number;
  /** Sequence number of the newest there is. */
  last: number;
}

/** New purchases are counted up to here. */
export const MOST_COUNTED = 1000;

/**
 * Learns what a store as a whole teaches from the counted transactions in its log, as far as `OrderGuard` lets them, and the products in
 * its catalog. A long read: it runs beside the event loop. Left out: where the result is kept.
 */
export abstract class ModelLearner {
  /** How many stores each process learns at a time. */
  abstract readonly atOnce: number;
  abstract learn(request: LearnRequest, options: Handover): Promise<LearnSummary>;
  /** Counted transactions after a sequence number. */
  abstract newPurchases(store: string, after: number): Promise<NewPurchases>;
  /** Sequence number of the newest counted transaction of each of these stores that has any: of all of them at once. */
  abstract newest(stores: readonly string[]): Promise<ReadonlyMap<string, number>>;
}
