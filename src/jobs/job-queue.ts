import type { IsNeeded } from './job-schedules';

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
  /** What was done when this attempt began to count, and when that was: a pace is taken from there. Absent: it has not begun to. */
  countedFrom?: { done: number; at: string };
  attempts: number;
  error?: string;
  result?: unknown;
  /** Who asked for it, as the audit list names them; absent: the service itself. */
  askedBy?: string;
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
  /** Who asks for it, as the audit list names them. */
  askedBy?: string | undefined;
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

/** Is told of a job that has completed or failed for good, shortly before its record says so. Rejects: it is told again, where it can be. */
export type JobEndListener = (job: Job) => Promise<void>;

export type JobHandler<P = unknown> = (context: JobContext<P>) => Promise<unknown>;

export interface JobQuery {
  id?: string | undefined;
  store?: string | undefined;
  kind?: string | undefined;
  state?: JobState | undefined;
  subject?: string | undefined;
  /** Only those that come after this one in the list. */
  after?: Pick<Job, 'id' | 'createdAt'> | undefined;
  /** Default 100. */
  limit?: number;
}

/** What no further attempt would do better: the job has failed, whatever attempts it has left. `result`: what is known of it all the same. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';

  constructor(
    message: string,
    readonly result?: unknown,
  ) {
    super(message);
  }
}

/**
 * Background work that survives a restart. A job is durable when `enqueue` resolves. It runs at least once, so handlers must be
 * idempotent: a job whose process died is taken over by another one. What a handler returns is the job's `result`. Of a store and kind one
 * job runs at a time, over all processes, and stores take turns: one with many jobs keeps no other waiting for more than the job that runs.
 * What has ended is kept for 30 days.
 * Left out on purpose: priorities, and dependencies between jobs.
 */
export abstract class JobQueue {
  private readonly endListeners: JobEndListener[] = [];

  /**
   * Tells of every job that completes, or fails and is not tried again, at least once: where a process dies in the middle of it, another one
   * tells. Not of those that were cancelled. What a listener does takes a moment; longer work is a job of its own.
   */
  onEnd(listener: JobEndListener): void {
    this.endListeners.push(listener);
  }

  protected async tellEnd(job: Job): Promise<void> {
    for (const listener of this.endListeners) await listener(job);
  }

  abstract enqueue(job: NewJob): Promise<string>;
  /** Registers the handler of a kind, for `concurrency` stores at a time in each process (default 1). Work begins with `start`. */
  abstract process<P>(kind: string, handler: JobHandler<P>, options?: { concurrency?: number }): void;
  /**
   * Enqueues a job of this kind (store `*`) every `ms`, once over all processes. Where the one before has not ended, or the schedule is paused
   * (JobSchedules), it is left out; and where `isNeeded` says no. That is asked before each, in one of the processes, and in each that starts;
   * where it fails, there is a job, which says what the matter is.
   */
  abstract every(kind: string, ms: number, isNeeded?: IsNeeded): void;
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
