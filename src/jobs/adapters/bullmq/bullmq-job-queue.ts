import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../shared/clock';
import type { Documents } from '../../../documents/documents';
import type { RedisConnection } from '../../../storage/redis/redis-connection';
import { type Job, type JobHandler, type JobQuery, JobQueue, type NewJob } from '../../job-queue';
import { Dispatcher } from './dispatcher';
import { cancelled, type JobRecord, leased, retried, takenOver } from './job-record';
import { JobRecords } from './job-records';
import { RunningJob } from './running-job';

export interface BullmqParts {
  documents: Documents;
  redis: RedisConnection;
  clock: Clock;
}

/** Milliseconds. */
export interface BullmqTimes {
  /** How long a job is believed to be worked on without a sign of life. */
  lease: number;
  /** How often it is looked for jobs that Redis lost or whose process died. */
  reconcile: number;
  /** Longest wait for handlers that do not look at their signal. */
  stop: number;
}

const TIMES: BullmqTimes = { lease: 30_000, reconcile: 10_000, stop: 10_000 };
const PERIOD_LOOK_MS = 60_000;
const PRUNE_EVERY_MS = 600_000;

/**
 * Job records among the documents, handed out by BullMQ to whichever process has a hand free. The records decide: who works on a job
 * holds a lease in its record, so neither a lost Redis nor two processes that are handed the same job make it run twice at a time.
 */
export class BullmqJobQueue extends JobQueue {
  private readonly records: JobRecords;
  private readonly dispatcher: Dispatcher;
  private readonly handlers = new Map<string, { handler: JobHandler; concurrency: number }>();
  private readonly periods = new Map<string, number>();
  private readonly running = new Map<string, RunningJob>();
  private readonly atWork = new Set<Promise<void>>();
  private readonly times: BullmqTimes;
  private timer: NodeJS.Timeout | undefined;
  private started = false;
  private stopped = false;

  constructor(
    private readonly parts: BullmqParts,
    times: Partial<BullmqTimes> = {},
  ) {
    super();
    this.times = { ...TIMES, ...times };
    this.records = new JobRecords(parts.documents);
    this.dispatcher = new Dispatcher(parts.redis, { stalledMs: this.times.lease });
  }

  override async enqueue(job: NewJob): Promise<string> {
    const record = await this.records.add(job, this.now());
    void this.handOut([record]);
    return record.job.id;
  }

  override process<P>(kind: string, handler: JobHandler<P>, options: { concurrency?: number } = {}): void {
    this.handlers.set(kind, { handler: handler as JobHandler, concurrency: options.concurrency ?? 1 });
    if (this.started) this.beginWork(kind);
  }

  override every(kind: string, ms: number): void {
    this.periods.set(kind, ms);
    if (this.started) void this.periodic(kind).catch(() => undefined);
  }

  override async start(): Promise<void> {
    if (this.started) return;
    this.started = true;
    for (const kind of this.handlers.keys()) this.beginWork(kind);
    this.dispatcher.onTick((kind) => this.periodic(kind));
    await Promise.all(Array.from(this.periods.keys(), (kind) => this.periodic(kind)));
    this.reconcileSoon(0);
  }

  override async stop(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    clearTimeout(this.timer);
    // Or it would be handed what it hands back.
    await this.dispatcher.stopWork();
    for (const job of this.running.values()) job.handBack();
    const all = Promise.allSettled(this.atWork);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.times.stop).unref();
    });
    await Promise.race([all, late]);
    clearTimeout(timer);
    await this.dispatcher.close();
  }

  override find(query: JobQuery): Promise<Job[]> {
    return this.records.find(query);
  }

  override async control(id: string, step: 'cancel' | 'retry' | 'forget'): Promise<Job | null> {
    const record = await this.records.read(id);
    if (!record) return null;
    if (step === 'forget') {
      await this.records.remove(record);
      this.running.get(id)?.cancel();
      return record.job;
    }
    const next = await this.records.change(id, step === 'cancel' ? cancelled(this.now()) : retried(this.now()));
    if (step === 'cancel') this.running.get(id)?.cancel();
    else if (next) void this.handOut([next]);
    return next?.job ?? (await this.records.read(id))?.job ?? null;
  }

  private now(): number {
    return this.parts.clock.now();
  }

  /** Never throws: what can't be handed out now is handed out by the reconciler. */
  private async handOut(records: JobRecord[]): Promise<void> {
    const now = this.now();
    const jobs = records.map(({ job: { id, kind }, runAt, turn }) => ({
      id,
      kind,
      turn,
      delayMs: Math.max(0, runAt - now),
    }));
    await this.dispatcher.send(jobs).catch(() => undefined);
  }

  private beginWork(kind: string): void {
    const { concurrency = 1 } = this.handlers.get(kind) ?? {};
    this.dispatcher.work(kind, concurrency, async (id) => {
      const work = this.take(kind, id);
      this.atWork.add(work);
      await work.finally(() => this.atWork.delete(work));
    });
  }

  private async take(kind: string, id: string): Promise<void> {
    const worker = this.handlers.get(kind);
    if (!worker || this.stopped) return;
    const now = this.now();
    const lease = leased({ owner: randomUUID(), now, until: now + this.times.lease });
    const record = await this.records.change(id, lease);
    if (!record) return this.records.tidy(id);
    const { clock } = this.parts;
    const job = new RunningJob(
      { records: this.records, clock, handler: worker.handler, leaseMs: this.times.lease },
      record,
    );
    this.running.set(id, job);
    if (this.stopped) job.handBack();
    const outcome = await job.run();
    this.running.delete(id);
    if (outcome?.job.state === 'waiting') await this.handOut([outcome]);
  }

  /** One run where one is due, and a clock in Redis that asks again. */
  private async periodic(kind: string): Promise<void> {
    const ms = this.periods.get(kind);
    if (ms === undefined) return;
    const record = await this.records.addPeriodic(kind, ms, this.now());
    if (record) void this.handOut([record]);
    await this.dispatcher.every(kind, tickOf(ms)).catch(() => undefined);
  }

  private reconcileSoon(ms: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      void this.reconcile()
        .catch(() => undefined)
        .finally(() => this.reconcileSoon(this.times.reconcile));
    }, ms);
    this.timer.unref();
  }

  /** What is due and waits is handed out again; whose process died waits again. By one process at a time. */
  private async reconcile(): Promise<void> {
    if (!(await this.first('reconcile', this.times.reconcile * 0.9))) return;
    const now = this.now();
    for (const { id, state, leaseUntil } of await this.records.open()) {
      if (state !== 'active' || leaseUntil > now) continue;
      if (!(await this.records.change(id, takenOver(now)))) await this.records.tidy(id);
    }
    const due = (await this.records.open()).filter((open) => open.state === 'waiting' && open.runAt <= now);
    const jobs = due.map(({ id, kind, turn }) => ({ id, kind, turn, delayMs: 0 }));
    await this.dispatcher.send(jobs);
    for (const [kind, ms] of this.periods) await this.dispatcher.every(kind, tickOf(ms));
    if (await this.first('prune', PRUNE_EVERY_MS)) await this.records.prune(now);
  }

  /** Whether it is this process's turn, of all of them. Throws where Redis is down: then nothing can be handed out. */
  private async first(task: string, ms: number): Promise<boolean> {
    const key = this.parts.redis.key('jobs-turn', task);
    return (await this.parts.redis.run((redis) => redis.set(key, '1', 'PX', Math.ceil(ms), 'NX'))) === 'OK';
  }
}

/** Long periods are asked for more often, so that a restart of Redis does not put them off. */
function tickOf(periodMs: number): number {
  return Math.min(periodMs, PERIOD_LOOK_MS);
}
