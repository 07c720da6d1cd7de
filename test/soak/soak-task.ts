/** What the load generator of a soak is told. */
export interface SoakTask {
  port: number;
  keys: { apiKey: string; secretKey: string; origin: string };
  /** Paths of searches. */
  searches: readonly string[];
  products: number;
  /** Acts a second. */
  perSecond: number;
  ms: number;
}

/** What it tells every minute, and at the end. */
export interface SoakMinute {
  /** Milliseconds from when each was due. */
  searches: number[];
  events: number[];
  others: number[];
  /** By what was wrong. */
  failures: Record<string, number>;
  requests: number;
}

export interface OverloadTask {
  port: number;
  keys: SoakTask['keys'];
  searches: readonly string[];
  ms: number;
  /** Closed loop on so many connections, or open loop at so many a second. */
  load: { connections: number } | { perSecond: number };
}

export interface OverloadResult {
  /** Replies within two seconds. */
  answered: number;
  latencies: number[];
  /** Milliseconds of each refusal. */
  refusals: number[];
  /** Refusals without `Retry-After`. */
  blunt: number;
  /** What was neither answered nor refused. */
  lost: Record<string, number>;
  seconds: number;
}
