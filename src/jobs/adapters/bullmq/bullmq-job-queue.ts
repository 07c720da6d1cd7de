import { randomUUID } from 'node:crypto';
import type { CacheInvalidation } from '../../../documents/cache-invalidation';
import type { Documents } from '../../../documents/documents';
import { ApiError } from '../../../shared/api-error';
import { Periodic } from '../../../shared/async/periodic';
import { retry } from '../../../shared/async/retry';
import type { Clock } from '../../../shared/clock';
import type { RedisConnection } from '../../../storage/redis/redis-connection';
import { type Job, type JobContext, type JobHandler, type JobQuery, JobQueue, type NewJob } from '../../job-queue';
import { type IsNeeded, JobSchedules } from '../../job-schedules';
import { isOpen, type JobRecord, STEPPED_BACK_MS, tickOf } from '../../job-states';
import { Dispatcher, type HandOutAgain } from './dispatcher';
import { JobRecords, type OpenJob, openJobOf } from './job-records';
import { firstOfKinds, NextJobs, waitOf } from './next-jobs';
import { RunningJob } from './running-job';

/** Milliseconds. */
export interface BullmqTimes {
  /** How long a job is believed to be worked on without a sign of life. */
  lease: number;
  /** How often jobs are looked for that Redis lost. */
  reconcile: number;
  /** How often those are removed that ended long ago. */
  prune: number;
  /** Longest wait for handlers that do not look at their signal. */
  stop: number;
}

/** What the queue is made of. `caches`: what this process holds of documents, and its handlers act on. */
export interface BullmqParts {
  documents: Documents;
  caches: CacheInvalidation;
  redis: RedisConnection;
  /** Absent: its own, over the same documents. */
  schedules?: JobSchedules;
}

const TIMES: BullmqTimes = { lease: 30_000, reconcile: 10_000, prune: 600_000, stop: 10_000 };
/** Jobs that are tried to be begun by one that was handed out: others may have been faster. */
const MOST_TRIES = 3;
/** Where the storage did not answer whether a job is taken. */
const TAKING = {
  times: 5,
  pauseMs: 500,
  steady: true,
  again: (error: unknown): boolean => error instanceof ApiError && ['unavailable', 'overloaded'].includes(error.code),
};
/** When a job is handed out again whose store has one of its kind under way. */
const BUSY_AGAIN_MS = 1000;

/**
 * Job records among the documents, handed out by BullMQ to whichever process has a hand free. The records decide: who works on a job
 * holds a lease in its record, so neither a lost Redis nor two processes that are handed the same job make it run twice at a time
 * (docs/adr/0013-bullmq-hands-out-records-decide.md). A handler begins once its process has seen what the job was asked under
 * (docs/adr/0017-jobs-see-what-is.md).
 */
export class BullmqJobQueue extends JobQueue {
  private readonly times: BullmqTimes;
  private readonly caches: CacheInvalidation;
  private readonly redis: RedisConnection;
  private readonly records: JobRecords;
  private readonly dispatcher: Dispatcher;
  private readonly schedules: JobSchedules;
  private readonly next: NextJobs;
  private readonly handlers = new Map<string, { handler: JobHandler; concurrency: number }>();
  private readonly periods = new Map<string, number>();
  private readonly running = new Map<string, RunningJob>();
  private readonly reconciling: Periodic;
  private started = false;
  private stopped = false;

  constructor(
    { documents, caches, redis, schedules = new JobSchedules(documents) }: BullmqParts,
    private readonly clock: Clock,
    times: Partial<BullmqTimes> = {},
  ) {
    super();
    this.caches = caches;
    this.redis = redis;
    this.schedules = schedules;
    this.times = { ...TIMES, ...times };
    this.records = new JobRecords(documents);
    this.next = new NextJobs(this.records, clock);
    this.dispatcher = new Dispatcher(redis, this.times.lease);
    this.reconciling = new Periodic(this.times.reconcile, () => this.reconcile());
  }

  override async enqueue(job: NewJob): Promise<string> {
    const record = await this.records.add(job, { now: this.clock.now(), seen: this.caches.versions() });
    this.handOut(record);
    return record.job.id;
  }

  override process<P>(kind: string, handler: JobHandler<P>, options: { concurrency?: number } = {}): void {
    const { concurrency = 1 } = options;
    this.handlers.set(kind, { handler: handler as JobHandler, concurrency });
    if (this.started) this.beginWork(kind);
  }

  override every(kind: string, ms: number, isNeeded?: IsNeeded): void {
    this.periods.set(kind, ms);
    this.schedules.add(kind, ms, isNeeded);
    if (this.started) void this.beginPeriod(kind, ms).catch(() => undefined);
  }

  override async start(): Promise<void> {
    if (this.started) return;
    this.started = true;
    for (const kind of this.handlers.keys()) this.beginWork(kind);
    this.dispatcher.onTick((kind) => this.runPeriodic(kind));
    await Promise.all(Array.from(this.periods, ([kind, ms]) => this.beginPeriod(kind, ms)));
    this.reconciling.start();
    void this.reconciling.run();
  }

  override async stop(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    // First, or this process would be handed what it hands back.
    const closed = this.dispatcher.close(this.times.stop);
    for (const job of this.running.values()) job.handBack();
    await Promise.all([closed, this.reconciling.stop()]);
  }

  override find(query: JobQuery): Promise<Job[]> {
    return this.records.find(query);
  }

  override async control(id: string, step: 'cancel' | 'retry' | 'forget'): Promise<Job | null> {
    const record = await this.records.read(id);
    if (!record) return null;
    if (step === 'forget') await this.records.remove(record);
    const changed = step === 'forget' ? record : await this.records.change(id, { type: step, now: this.clock.now() });
    if (step !== 'retry') this.running.get(id)?.cancel();
    else if (changed) this.handOut(changed);
    return (changed ?? (await this.records.read(id)))?.job ?? null;
  }

  /** What can't be handed out now is handed out by the reconciler. */
  private handOut(record: JobRecord): void {
    void this.send([openJobOf(record)]).catch(() => undefined);
  }

  private send(open: OpenJob[]): Promise<void> {
    const jobs = open.map((job) => ({ id: job.id, kind: job.kind, delayMs: waitOf(job, this.clock.now()) ?? 0 }));
    return this.dispatcher.send(jobs);
  }

  private beginWork(kind: string): void {
    const registered = this.handlers.get(kind);
    if (!registered) return;
    const take = (id: string): Promise<HandOutAgain> => this.take(kind, id, registered.handler);
    this.dispatcher.work(kind, registered.concurrency, {
      take,
      done: (id) => void this.handOutReopened(id).catch(() => undefined),
    });
  }

  /** Whoever retries a job whose entry is about to go can't make it a new one. */
  private async handOutReopened(id: string): Promise<void> {
    const record = await this.records.read(id);
    if (record && isOpen(record)) await this.send([openJobOf(record)]);
  }

  /**
   * What is handed out is a hand for one job of its kind, so it takes the one whose turn it is. The entry stays until its own job has ended: there are
   * never fewer entries than jobs that wait.
   */
  private async take(kind: string, id: string, handler: JobHandler): Promise<HandOutAgain> {
    const tried = new Set<string>();
    while (tried.size < MOST_TRIES) {
      if (this.stopped) return 0;
      const next = await this.next.whoseTurn(kind, id, tried);
      if (next === undefined) break;
      const end = await this.beginAndRun(next, handler).finally(() => this.next.over(next));
      if (end) {
        await this.goOn(end.job).catch(() => undefined);
        return end.kept && next === id ? this.again(end.kept) : this.againAfter(id, 0);
      }
      // Another process was faster, so what is known is old.
      tried.add(next);
      this.next.lookAgain();
    }
    return this.againAfter(id, BUSY_AGAIN_MS);
  }

  /** Null where it could not be begun; `kept` as of `run`. */
  private async beginAndRun(id: string, handler: JobHandler): Promise<{ job: Job; kept: JobRecord | null } | null> {
    const taken = await this.begin(id);
    if (!taken) return null;
    this.next.serve(taken.job);
    const kept = await this.run(taken, handler);
    this.next.ended(id);
    return { job: taken.job, kept };
  }

  /** `leastMs`: for a job that could not be begun although its time has come. */
  private async againAfter(id: string, leastMs: number): Promise<HandOutAgain> {
    const delay = this.again(await this.records.readOpen(id));
    return delay === null ? null : Math.max(delay, leastMs);
  }

  private again(record: JobRecord | null): HandOutAgain {
    return record && waitOf(openJobOf(record), this.clock.now());
  }

  /** The record, if it is this run's now. */
  private async begin(id: string): Promise<JobRecord | null> {
    const owner = randomUUID();
    const taken = await retry((attempt) => this.takeAs(owner, id, attempt), TAKING);
    const isOurs = taken?.owner === owner;
    // Whoever had it died, and it has no attempt left.
    if (!isOurs && taken?.job.state === 'failed') await this.tellEnd(taken.job).catch(() => undefined);
    return isOurs ? taken : null;
  }

  /** That it was taken may be stored although the answer was lost: nobody would work on it until the lease is over, and that would count as an attempt. */
  private async takeAs(owner: string, id: string, attempt: number): Promise<JobRecord | null> {
    const now = this.clock.now();
    const taken = await this.records.change(id, { type: 'take', owner, now, leaseUntil: now + this.times.lease });
    if (taken !== null || attempt === 1) return taken;
    const record = await this.records.read(id);
    return record?.owner === owner ? record : null;
  }

  /** The next job of a store is not to wait until it is looked at again. Of the service's own there is one of a kind. */
  private async goOn({ kind, store }: Job): Promise<void> {
    if (store === '*') return;
    const next = await this.next.of(kind, store);
    if (next) await this.send([next]);
  }

  /** The record afterwards; null where the job was no longer ours, or what became of it could not be kept. */
  private async run(record: JobRecord, handler: JobHandler): Promise<JobRecord | null> {
    const { id } = record.job;
    const job = new RunningJob(record, this.records, this.clock, this.times.lease);
    this.running.set(id, job);
    if (this.stopped) job.handBack();
    const kept = await job.run(
      async (context) => {
        await this.seeWhatIs(record, context);
        return handler(context);
      },
      (end) => this.tellEnd(end),
    );
    this.running.delete(id);
    return kept;
  }

  /**
   * What was changed before the job was asked for is known here from now on, or the run fails and is tried again. What others write meanwhile
   * they write by what is, too, unless they hang.
   */
  private async seeWhatIs({ seen = {} }: JobRecord, { signal }: JobContext): Promise<void> {
    await this.caches.catchUp(seen, signal);
    await this.caches.seenByAll();
  }

  private async beginPeriod(kind: string, ms: number): Promise<void> {
    await this.runPeriodic(kind);
    await this.dispatcher.every(kind, tickOf(ms)).catch(() => undefined);
  }

  /** Makes the job of a period that has begun. */
  private async runPeriodic(kind: string): Promise<void> {
    const ms = this.periods.get(kind);
    const now = this.clock.now();
    if (ms === undefined || !this.records.mayBeDue(kind, ms, now)) return;
    if (!(await this.schedules.hasJob(kind))) return;
    const record = await this.records.addPeriodic(kind, ms, now);
    if (record) this.handOut(record);
  }

  /** Hands out everything that has not ended, for what Redis lost; what it still has stays as it is. By one process at a time. */
  private async reconcile(): Promise<void> {
    if (!(await this.isFirst('reconcile', this.times.reconcile * 0.9))) return;
    await this.send(firstOfKinds(await this.openNow()));
    for (const [kind, ms] of this.periods) await this.dispatcher.every(kind, tickOf(ms));
    if (await this.isFirst('prune', this.times.prune)) await this.records.prune(this.clock.now());
  }

  /** Every job that has not ended. Those whose times a clock has set that stepped back since have times of the clock as it is. */
  private async openNow(): Promise<OpenJob[]> {
    const now = this.clock.now();
    const open = await this.records.open();
    return Promise.all(
      open.map(async (job) => {
        if ((job.setAt ?? 0) - now <= STEPPED_BACK_MS) return job;
        const record = await this.records.change(job.id, { type: 'clock', now });
        return record ? openJobOf(record) : job;
      }),
    );
  }

  /** Whether no other process has done this for `ms` milliseconds. Throws where Redis is down: then nothing can be handed out. */
  private async isFirst(task: string, ms: number): Promise<boolean> {
    const key = this.redis.key('jobs-turn', task);
    return (await this.redis.run((redis) => redis.set(key, '1', 'PX', Math.ceil(ms), 'NX'))) === 'OK';
  }
}
