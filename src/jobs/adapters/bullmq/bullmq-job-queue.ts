import { randomUUID } from 'node:crypto';
import type { CacheInvalidation } from '../../../documents/cache-invalidation';
import type { Documents } from '../../../documents/documents';
import { Periodic } from '../../../shared/async/periodic';
import type { Clock } from '../../../shared/clock';
import type { RedisConnection } from '../../../storage/redis/redis-connection';
import { type Job, type JobContext, type JobHandler, type JobQuery, JobQueue, type NewJob } from '../../job-queue';
import { type JobRecord, tickOf } from '../../job-states';
import { Dispatcher, type HandOutAgain } from './dispatcher';
import { JobRecords, type OpenJob, openJobOf } from './job-records';
import { RunningJob } from './running-job';

/** Milliseconds. */
export interface BullmqTimes {
  /** How long a job is believed to be worked on without a sign of life. */
  lease: number;
  /** How often jobs are looked for that Redis lost. */
  reconcile: number;
  /** Longest wait for handlers that do not look at their signal. */
  stop: number;
}

/** What the queue is made of. `caches`: what this process holds of documents, and its handlers act on. */
export interface BullmqParts {
  documents: Documents;
  caches: CacheInvalidation;
  redis: RedisConnection;
}

const TIMES: BullmqTimes = { lease: 30_000, reconcile: 10_000, stop: 10_000 };
const PRUNE_EVERY_MS = 600_000;

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
  private readonly handlers = new Map<string, { handler: JobHandler; concurrency: number }>();
  private readonly periods = new Map<string, number>();
  private readonly running = new Map<string, RunningJob>();
  private readonly reconciling: Periodic;
  private started = false;
  private stopped = false;

  constructor(
    { documents, caches, redis }: BullmqParts,
    private readonly clock: Clock,
    times: Partial<BullmqTimes> = {},
  ) {
    super();
    this.caches = caches;
    this.redis = redis;
    this.times = { ...TIMES, ...times };
    this.records = new JobRecords(documents);
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

  override every(kind: string, ms: number): void {
    this.periods.set(kind, ms);
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
    const jobs = open.map((job) => ({ id: job.id, kind: job.kind, delayMs: this.delayOf(job) ?? 0 }));
    return this.dispatcher.send(jobs);
  }

  /** Milliseconds until a job may be taken: a waiting one when it is due, an active one when its lease is over, no other. */
  private delayOf({ state, runAt, leaseUntil }: OpenJob): HandOutAgain {
    if (state !== 'waiting' && state !== 'active') return null;
    return Math.max(0, (state === 'waiting' ? runAt : leaseUntil) - this.clock.now());
  }

  private beginWork(kind: string): void {
    const registered = this.handlers.get(kind);
    if (!registered) return;
    this.dispatcher.work(kind, registered.concurrency, (id) => this.take(id, registered.handler));
  }

  private async take(id: string, handler: JobHandler): Promise<HandOutAgain> {
    if (this.stopped) return 0;
    const owner = randomUUID();
    const now = this.clock.now();
    const taken = await this.records.change(id, { type: 'take', owner, now, leaseUntil: now + this.times.lease });
    const left = taken?.owner === owner ? await this.run(taken, handler) : taken;
    const record = left ?? (await this.records.readOpen(id));
    return record && this.delayOf(openJobOf(record));
  }

  private async run(record: JobRecord, handler: JobHandler): Promise<JobRecord | null> {
    const { id } = record.job;
    const job = new RunningJob(record, this.records, this.clock, this.times.lease);
    this.running.set(id, job);
    if (this.stopped) job.handBack();
    const left = await job.run(async (context) => {
      await this.seeWhatIs(record, context);
      return handler(context);
    });
    this.running.delete(id);
    return left;
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
    const record = ms === undefined ? null : await this.records.addPeriodic(kind, ms, this.clock.now());
    if (record) this.handOut(record);
  }

  /** Hands out everything that has not ended, for what Redis lost; what it still has stays as it is. By one process at a time. */
  private async reconcile(): Promise<void> {
    if (!(await this.isFirst('reconcile', this.times.reconcile * 0.9))) return;
    await this.send(await this.records.open());
    for (const [kind, ms] of this.periods) await this.dispatcher.every(kind, tickOf(ms));
    if (await this.isFirst('prune', PRUNE_EVERY_MS)) await this.records.prune(this.clock.now());
  }

  /** Whether no other process has done this for `ms` milliseconds. Throws where Redis is down: then nothing can be handed out. */
  private async isFirst(task: string, ms: number): Promise<boolean> {
    const key = this.redis.key('jobs-turn', task);
    return (await this.redis.run((redis) => redis.set(key, '1', 'PX', Math.ceil(ms), 'NX'))) === 'OK';
  }
}
