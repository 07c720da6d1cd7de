import type { BenchRequest } from './connection';

/** Where the load goes. */
export interface Target {
  port: number;
  headers: Record<string, string>;
}

/** What the load generator can be asked to do. Every task is bounded in time or count. */
export type LoadTask =
  /** Each round is one query asked in several ways, in random order, one request at a time. */
  | { kind: 'rounds'; rounds: Question[][]; seed: number }
  /** As many requests as the connections can do, from lists that start anew when they end. */
  | { kind: 'saturate'; target: Target; requests: LoadRequests; connections: number; ms: number }
  /** Requests at fixed times, answered or not; latency counts from the time each was due. */
  | { kind: 'pace'; target: Target; requests: LoadRequests; connections: number; perSecond: number; ms: number }
  /** For each trial: an event, then searches until the order differs from the one before. */
  | { kind: 'freshness'; target: Target; trials: Trial[] };

/** What is timed as one: its requests follow each other. */
export interface Question {
  port: number;
  requests: BenchRequest[];
}

export type LoadRequests =
  | { kind: 'list'; list: BenchRequest[] }
  /** Product views that never repeat, by many users, of a catalog of this size. */
  | { kind: 'views'; products: number; users: number; keys: { apiKey: string; secretKey: string }; seed: number };

export interface Trial {
  search: string;
  event: BenchRequest;
}

export interface LoadResult {
  /** Milliseconds, in the order measured. */
  latencies: number[];
  /** `freshness`: of the event alone. */
  others: number[];
  /** `rounds`: milliseconds of each way of asking, in the order of the rounds. */
  ways: number[][];
  failures: number;
  /** `freshness`: trials whose order did not change within two seconds. `pace`: requests sent late for lack of a connection. */
  late: number;
  seconds: number;
  /** Cores this process used. */
  cores: number;
}
