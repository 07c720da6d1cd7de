export type JobState = 'waiting' | 'active' | 'completed' | 'failed' | 'cancelled';

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
  /** While a job with this kind, store and key waits, enqueueing again is that same job. */
  key?: string;
  /** Whom it is about (`u:<user id>`): the job is forgotten when that shopper is erased. */
  subject?: string;
  delayMs?: number;
  /** Attempts in all, default 3; a failed attempt is tried again after `backoffMs` (default 1,000), doubled each time. */
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
  id?: string;
  store?: string;
  kind?: string;
  state?: JobState;
  subject?: string;
  /** Default 100. */
  limit?: number;
}

/**
 * Background work that survives a restart. A job is durable when `enqueue` resolves; it runs at least once, and a job
 * whose process died is taken over by another. Handlers must be idempotent. What a handler returns is the job's
 * `result`. Not here on purpose: priorities, dependencies between jobs.
 */
export abstract class JobQueue {
  abstract enqueue(job: NewJob): Promise<string>;
  /** Registers the handler of a kind (`concurrency` at a time, default 1); work begins with `start`. */
  abstract process<P>(kind: string, handler: JobHandler<P>, options?: { concurrency?: number }): void;
  /** Enqueues a job of this kind (store `*`) every `ms`, once over all processes; a run that is due while the one before it
   * still waits or works is left out. */
  abstract every(kind: string, ms: number): void;
  abstract start(): Promise<void>;
  /** Finishes or hands back what is active. */
  abstract stop(): Promise<void>;
  /** Newest first. */
  abstract find(query: JobQuery): Promise<Job[]>;
  /** `cancel`: a waiting job never runs, an active one gets its signal. `retry`: a failed or cancelled job waits again.
   * `forget`: cancelled where need be, and off the record. Null where there is no such job; the job as it is afterwards otherwise
   * (unchanged where the step does not apply; of `forget`, as it was). */
  abstract control(id: string, step: 'cancel' | 'retry' | 'forget'): Promise<Job | null>;
}
