export const jobStates = ['waiting', 'active', 'completed', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];

/** A job as `GET /admin/jobs/<id>` shows it. Times are ISO 8601. */
export interface Job {
  id: string;
  kind: string;
  /** Internal id of the store it works for; `*`: the service. */
  store: string;
  state: JobState;
  progress: { done: number; total: number };
  attempts: number;
  error?: string;
  result?: unknown;
  createdAt: string;
  startedAt?: string;
  endedAt?: string;
}

export interface NewJob {
  kind: string;
  store: string;
  payload: unknown;
  /** While a job of this kind, store and key waits, enqueueing another one answers that job. */
  key?: string;
  /** The shopper it is about (`u:<user id>`). It is forgotten when that shopper is erased. */
  subject?: string;
  delayMs?: number;
  /** Attempts in all, default 3. The next attempt comes after `backoffMs` (default 1,000), doubled each time. */
  attempts?: number;
  backoffMs?: number;
}

export interface JobContext<P = unknown> {
  job: Job;
  payload: P;
  /** Aborted when the job is cancelled or the process shuts down. Long handlers look at it between chunks. */
  signal: AbortSignal;
  progress(done: number, total: number): Promise<void>;
}

export type JobHandler<P = unknown> = (context: JobContext<P>) => Promise<unknown>;

export interface JobQuery {
  id?: string | undefined;
  store?: string | undefined;
  kind?: string | undefined;
  state?: JobState | undefined;
  subject?: string | undefined;
  /** Default 100. */
  limit?: number;
}

/**
 * Background work that survives a restart. A job is durable when `enqueue` resolves. It runs at least once, so handlers must be
 * idempotent: a job whose process died is taken over by another one. What a handler returns is the job's `result`.
 * Left out on purpose: priorities, and dependencies between jobs.
 */
export abstract class JobQueue {
  abstract enqueue(job: NewJob): Promise<string>;
  /** Registers the handler of a kind, for `concurrency` jobs at a time (default 1). Work begins with `start`. */
  abstract process<P>(kind: string, handler: JobHandler<P>, options?: { concurrency?: number }): void;
  /** Enqueues a job of this kind (store `*`) every `ms`, once over all processes. Where the one before has not ended, it is left out. */
  abstract every(kind: string, ms: number): void;
  abstract start(): Promise<void>;
  /** Finishes or hands back what is active. */
  abstract stop(): Promise<void>;
  /** Newest first. */
  abstract find(query: JobQuery): Promise<Job[]>;
  /**
   * `cancel`: a waiting job never runs, an active one gets its signal. `retry`: a failed or cancelled job waits again. `forget`: the
   * job is cancelled if it has not ended, and its record removed. Resolves to the job afterwards, unchanged where the step does not
   * apply; for `forget`, to the job as it was; to null where there is none.
   */
  abstract control(id: string, step: 'cancel' | 'retry' | 'forget'): Promise<Job | null>;
}
