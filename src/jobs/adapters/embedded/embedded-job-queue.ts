import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../shared/clock';
import type { EmbeddedDatabase } from '../../../storage/sqlite/embedded-database';
import type { Calls } from '../../../storage/sqlite/writer-commands';
import { type Job, type JobHandler, type JobQuery, JobQueue, type NewJob } from '../../job-queue';
import { JOB_COLUMNS, type JobInsert, jobOf, type LeasedJob, type commands } from './jobs.commands';

interface Worker {
  handler: JobHandler;
  concurrency: number;
  active: number;
}

/** How often jobs that became due by time alone are looked for; enqueueing looks at once. */
const LOOK_EVERY_MS = 250;
/** The embedded database has one process, so a lease only says how long ago a job showed a sign of life. */
const LEASE_MS = 60_000;
/** Longest wait for handlers that do not look at their signal. */
const STOP_WITHIN_MS = 10_000;
const PERIOD_LOOK_MS = 60_000;

/** Jobs in the embedded database, worked on by this process. */
export class EmbeddedJobQueue extends JobQueue {
  private readonly call: Calls<typeof commands>;
  private readonly workers = new Map<string, Worker>();
  private readonly running = new Map<string, { abort: AbortController; done: Promise<void> }>();
  private readonly periods = new Map<string, number>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private started = false;

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly clock: Clock,
  ) {
    super();
    this.call = database.writer.calls<typeof commands>();
  }

  override async enqueue(job: NewJob): Promise<string> {
    const id = await this.call('jobs.enqueue', this.insertOf(job));
    this.look(job.kind);
    return id;
  }

  override process<P>(kind: string, handler: JobHandler<P>, options: { concurrency?: number } = {}): void {
    this.workers.set(kind, { handler: handler as JobHandler, concurrency: options.concurrency ?? 1, active: 0 });
    this.look(kind);
  }

  override every(kind: string, ms: number): void {
    this.periods.set(kind, ms);
    if (this.started) this.startPeriod(kind, ms);
  }

  override async start(): Promise<void> {
    if (this.started) return;
    await this.call('jobs.recover', { now: this.clock.now() });
    this.started = true;
    for (const [kind, ms] of this.periods) this.startPeriod(kind, ms);
    this.addTimer(setInterval(() => this.lookAtDue(), LOOK_EVERY_MS));
    for (const kind of this.workers.keys()) this.look(kind);
  }

  override async stop(): Promise<void> {
    this.started = false;
    for (const timer of this.timers) clearInterval(timer);
    this.timers.clear();
    for (const { abort } of this.running.values()) abort.abort();
    const all = Promise.allSettled([...this.running.values()].map(({ done }) => done));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_WITHIN_MS).unref();
    });
    await Promise.race([all, late]);
    clearTimeout(timer);
  }

  override async find(query: JobQuery): Promise<Job[]> {
    const { limit = 100, ...where } = query;
    const given = Object.entries(where).filter(([, value]) => value !== undefined);
    const condition = given.map(([name]) => `${name} = ?`).join(' AND ') || '1';
    const rows = this.database.reader.all(
      `SELECT ${JOB_COLUMNS} FROM job WHERE ${condition} ORDER BY created DESC, id DESC LIMIT ?`,
      ...given.map(([, value]) => value),
      limit,
    );
    return rows.map(jobOf);
  }

  override async control(id: string, step: 'cancel' | 'retry' | 'forget'): Promise<Job | null> {
    const job = await this.call('jobs.control', { id, step, now: this.clock.now() });
    if (step === 'retry') this.look(job?.kind ?? '');
    else this.running.get(id)?.abort.abort();
    return job;
  }

  private insertOf(job: NewJob): JobInsert {
    const created = this.clock.now();
    return {
      id: randomUUID(),
      kind: job.kind,
      store: job.store,
      key: job.key ?? null,
      subject: job.subject ?? null,
      runAt: created + (job.delayMs ?? 0),
      attempts: job.attempts ?? 3,
      backoff: job.backoffMs ?? 1000,
      created,
      payload: JSON.stringify(job.payload ?? null),
    };
  }

  private startPeriod(kind: string, periodMs: number): void {
    const tick = (): void => {
      const job = this.insertOf({ kind, store: '*', payload: null });
      void this.call('jobs.periodic', { job, periodMs })
        .then((id) => id !== null && this.look(kind))
        .catch(() => undefined);
    };
    tick();
    this.addTimer(setInterval(tick, Math.min(periodMs, PERIOD_LOOK_MS)));
  }

  private addTimer(timer: NodeJS.Timeout): void {
    timer.unref();
    this.timers.add(timer);
  }

  /** A short read, so that an idle service writes nothing. */
  private lookAtDue(): void {
    const due = this.database.reader.all(
      `SELECT DISTINCT kind FROM job WHERE state = 'waiting' AND run_at <= ?`,
      this.clock.now(),
    );
    for (const [kind] of due) this.look(String(kind));
  }

  private look(kind: string): void {
    const worker = this.workers.get(kind);
    if (!this.started || !worker || worker.active >= worker.concurrency) return;
    // One at a time: the job that is found looks for the next.
    worker.active += 1;
    void this.takeOne(kind, worker);
  }

  private async takeOne(kind: string, worker: Worker): Promise<void> {
    let leased: LeasedJob | null = null;
    try {
      leased = await this.call('jobs.lease', { kind, now: this.clock.now(), leaseMs: LEASE_MS });
      if (leased) {
        this.look(kind);
        await this.run(worker, leased);
      }
    } catch {
      // The database is closing or full: the job stays where it is and is found again.
      leased = null;
    } finally {
      worker.active -= 1;
      if (leased) this.look(kind);
    }
  }

  private async run(worker: Worker, { job, payload }: LeasedJob): Promise<void> {
    const abort = new AbortController();
    const work = this.work(worker, { job, payload: JSON.parse(payload), signal: abort.signal });
    this.running.set(job.id, { abort, done: work });
    if (!this.started) abort.abort();
    await work.finally(() => this.running.delete(job.id));
  }

  private async work(worker: Worker, task: { job: Job; payload: unknown; signal: AbortSignal }): Promise<void> {
    const { id } = task.job;
    const progress = async (done: number, total: number): Promise<void> => {
      await this.call('jobs.progress', { id, done, total, leaseUntil: this.clock.now() + LEASE_MS });
    };
    try {
      const result: unknown = await worker.handler({ ...task, progress });
      const text = result === undefined ? null : JSON.stringify(result);
      await this.call('jobs.complete', { id, now: this.clock.now(), result: text });
    } catch (error) {
      if (task.signal.aborted && !this.started) await this.call('jobs.release', { id, now: this.clock.now() });
      else await this.call('jobs.fail', { id, now: this.clock.now(), error: messageOf(error) });
    }
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 2000);
}
