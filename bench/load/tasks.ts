import type { BenchRequest } from './connection';

/** Where the load goes. */
export interface Target {
  port: number;
  headers: Record<string, string>;
}

/** What the load generator can be asked to do. Every task is bounded in time or count. */
export type LoadTask =
  /** Each pair is one query twice, for nobody and for the shopper, in random order, one request at a time. */
  | { kind: 'pairs'; target: Target; pairs: { neutral: string; personal: string }[]; seed: number }
  /** As many requests as the connections can do, from lists that start anew when they end. */
  | { kind: 'saturate'; target: Target; requests: LoadRequests; connections: number; ms: number }
  /** Requests at fixed times, answered or not; latency counts from the time each was due. */
  | { kind: 'pace'; target: Target; requests: LoadRequests; connections: number; perSecond: number; ms: number }
  /** Each trial is a search in several ways: through the service, and as requests to the engine itself. */
  | { kind: 'beside'; target: Target; elasticsearchUrl: string; trials: BesideTrial[]; seed: number }
  /** For each trial: an event, then searches until the order differs from the one before. */
  | { kind: 'freshness'; target: Target; trials: Trial[] };

export type LoadRequests =
  | { kind: 'list'; list: BenchRequest[] }
  /** Product views that never repeat, by many users, of a catalog of this size. */
  | { kind: 'views'; products: number; users: number; keys: { apiKey: string; secretKey: string }; seed: number };

/** A POST to Elasticsearch itself. */
export interface BareRequest {
  path: string;
  body: string;
}

/** Arms: the paths of `searches`, then each of `bare`, in steps. */
export interface BesideTrial {
  searches: string[];
  bare: BareRequest[][][];
}

export interface Trial {
  search: string;
  event: BenchRequest;
}

export interface LoadResult {
  /** Milliseconds, in the order measured. `pairs`: of the neutral arm. */
  latencies: number[];
  /** `pairs`: of the personal arm. `freshness`: of the event alone. */
  others: number[];
  /** `beside`: of each arm. */
  arms?: number[][];
  failures: number;
  /** `freshness`: trials whose order did not change within two seconds. `pace`: requests sent late for lack of a connection. */
  late: number;
  seconds: number;
  /** Cores this process used. */
  cores: number;
}
