import { randomUUID } from 'node:crypto';
import { Periodic } from '../../../shared/async/periodic';
import { retry } from '../../../shared/async/retry';
import { within } from '../../../shared/async/within';
import type { Clock } from '../../../shared/clock';
import { ApiError } from '../../../shared/api-error';
import type { EmbeddedDatabase } from '../../../storage/sqlite/embedded-database';
import { writeTrouble } from '../../../storage/sqlite/write-trouble';
import type { Calls } from '../../../storage/sqlite/writer-commands';
import { FairOrder } from '../../fair-order';
import { type Job, type JobHandler, type JobQuery, JobQueue, type NewJob } from '../../job-queue';
import type { IsNeeded, JobSchedules } from '../../job-schedules';
import { endOf, type JobRecord, newRecord, type RunReport, STEPPED_BACK_MS, tickOf } from '../../job-states';
import { runHandler } from '../../run-handler';
import { JOB_COLUMNS, jobOf, type commands } from './jobs.commands';

interface Worker {
  handler: JobHandler;
  concurrency: number;
  active: number;
}

/** How often jobs that became due by time alone are looked for; enqueueing looks at once. */
const LOOK_EVERY_MS = 250;
/** The embedded database has one process, so a lease only says how long ago a job showed a sign of life. */
const LEASE_MS = 60_000;
/** How often what a run reports is tried again while nothing can be written. */
const REPORT_EVERY_MS = 500;
/** Longest wait for handlers that do not look at their signal. */
const STOP_WITHIN_MS = 10_000;

/** Jobs in the embedded database, worked on by this process. */
export class EmbeddedJobQueue extends JobQueue {
  private readonly call: Calls<typeof commands>;
  private readonly workers = new Map<string, Worker>();
  /** Also jobs that were cancelled, and have not ended yet. */
  private readonly running = new Map<string, { kind: string; store: string; abort: AbortController }>();
  private readonly order = new FairOrder();
  /** Takes under way, each with the run of what it took. */
  private readonly working = new Set<Promise<void>>();
  private readonly looking = new Periodic(LOOK_EVERY_MS, () => this.lookAtDue());
  private readonly periods: Periodic[] = [];
  private started = false;
  /** The clock, when it was looked at last. */
  private lookedAt = 0;
  /** Takes that have not been answered yet. */
  private taking = 0;

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly clock: Clock,
    private readonly schedules: JobSchedules,
    private readonly stopWithinMs = STOP_WITHIN_MS,
  ) {
    super();
    this.call = database.writer.calls<typeof commands>();
  }

  override async enqueue(job: NewJob): Promise<string> {
    const id = await this.call('jobs.enqueue', this.newRecord(job));
    this.look(job.kind);
    return id;
  }

  override process<P>(kind: string, handler: JobHandler<P>, options: { concurrency?: number } = {}): void {
    this.workers.set(kind, { handler: handler as JobHandler, concurrency: options.concurrency ?? 1, active: 0 });
    this.look(kind);
  }

  override every(kind: string, ms: number, isNeeded?: IsNeeded): void {
    this.schedules.add(kind, ms, isNeeded);
    const period = new Periodic(tickOf(ms), async () => {
      if (!(await this.schedules.hasJob(kind))) return;
      const record = this.newRecord({ kind, store: '*', payload: null });
      if (await this.call('jobs.enqueuePeriodic', { record, periodMs: ms })) this.look(kind);
    });
    this.periods.push(period);
    if (this.started) begin(period);
  }

  override async start(): Promise<void> {
    if (this.started) return;
    const failed = await this.call('jobs.recover', this.clock.now());
    for (const job of failed) await this.tellEnd(job).catch(() => undefined);
    this.lookedAt = this.clock.now();
    this.started = true;
    for (const period of this.periods) begin(period);
    this.looking.start();
    for (const kind of this.workers.keys()) this.look(kind);
  }

  override async stop(): Promise<void> {
    this.started = false;
    for (const { abort } of this.running.values()) abort.abort();
    const all = Promise.allSettled([
      ...this.working,
      this.looking.stop(),
      ...this.periods.map((period) => period.stop()),
    ]);
    await within(this.stopWithinMs, all).catch(() => undefined);
  }

  override async find(query: JobQuery): Promise<Job[]> {
    const { limit = 100, after, ...where } = query;
    const given = Object.entries(where).filter(([, value]) => value !== undefined);
    const conditions = given.map(([name]) => `${name} = ?`);
    if (after) conditions.push('(created, id) < (?, ?)');
    const condition = conditions.join(' AND ') || '1';
    const rows = this.database.reader.all(
      `SELECT ${JOB_COLUMNS} FROM job WHERE ${condition} ORDER BY created DESC, id DESC LIMIT ?`,
      ...given.map(([, value]) => value),
      ...(after ? [Date.parse(after.createdAt), after.id] : []),
      limit,
    );
    return rows.map(jobOf);
  }

  override async control(id: string, step: 'cancel' | 'retry' | 'forget'): Promise<Job | null> {
    const job = await (step === 'forget'
      ? this.call('jobs.forget', id)
      : this.call('jobs.step', { id, step: { type: step, now: this.clock.now() } }));
    if (step === 'retry') this.look(job?.kind ?? '');
    else this.running.get(id)?.abort.abort();
    return job;
  }

  /** Whether trying again makes sense; a process that stops leaves the job to its next start. */
  private readonly mayPass = (error: unknown): boolean =>
    this.started && (writeTrouble(error) !== null || (error instanceof ApiError && error.code === 'unavailable'));

  private newRecord(job: NewJob): JobRecord {
    return newRecord(randomUUID(), job, this.clock.now());
  }

  /** Short reads, so that an idle service writes nothing. */
  private async lookAtDue(): Promise<void> {
    await this.noticeClock();
    const due = this.database.reader.all(
      `SELECT DISTINCT kind FROM job WHERE state = 'waiting' AND run_at <= ?`,
      this.clock.now(),
    );
    for (const [kind] of due) this.look(String(kind));
    await this.releaseLost();
  }

  private async noticeClock(): Promise<void> {
    const now = this.clock.now();
    const by = this.lookedAt - now;
    if (by > STEPPED_BACK_MS) await this.call('jobs.clockSteppedBack', by);
    this.lookedAt = now;
  }

  /** Where the writer died after it had taken a job, and before it said so, nobody works on it. */
  private async releaseLost(): Promise<void> {
    const now = this.clock.now();
    const over = this.database.reader.all(`SELECT id FROM job WHERE state = 'active' AND lease_until <= ?`, now);
    for (const id of over.map(([first]) => String(first))) {
      if (this.taking > 0 || this.running.has(id)) continue;
      await this.call('jobs.step', { id, step: { type: 'release', owner: '', now } });
    }
  }

  private look(kind: string): void {
    const worker = this.workers.get(kind);
    if (!this.started || !worker || worker.active >= worker.concurrency) return;
    // One at a time: the job that is found looks for the next.
    worker.active += 1;
    const work = this.takeOne(kind, worker).finally(() => this.working.delete(work));
    this.working.add(work);
  }

  private async takeOne(kind: string, worker: Worker): Promise<void> {
    let taken: JobRecord | null = null;
    try {
      taken = await this.take(kind);
      if (taken) {
        this.look(kind);
        await this.run(taken, worker.handler);
      }
    } catch {
      // The database is closing or full: the job stays where it is and is found again.
      taken = null;
    } finally {
      worker.active -= 1;
      if (taken) this.look(kind);
    }
  }

  private async take(kind: string): Promise<JobRecord | null> {
    const now = this.clock.now();
    this.taking += 1;
    try {
      for (const store of this.storesInTurn(kind, now)) {
        const taken = await this.call('jobs.take', { kind, store, now, leaseUntil: now + LEASE_MS });
        if (!taken) continue;
        this.order.serve(kind, store);
        return taken;
      }
      return null;
    } finally {
      this.taking -= 1;
    }
  }

  /** Stores with a job of this kind that is due and may begin, in the order of their turns. */
  private storesInTurn(kind: string, now: number): string[] {
    const busy = new Set([...this.running.values()].filter((job) => job.kind === kind).map(({ store }) => store));
    const due = this.database.reader.all(
      `SELECT store FROM job WHERE kind = ? AND state = 'waiting' AND run_at <= ? GROUP BY store ORDER BY MIN(run_at)`,
      kind,
      now,
    );
    const stores = due.map(([store]) => String(store)).filter((store) => !busy.has(store));
    return this.order.order(kind, stores);
  }

  private isActive(id: string): boolean {
    return this.database.reader.one(`SELECT 1 FROM job WHERE id = ? AND state = 'active'`, id) !== undefined;
  }

  private async run(record: JobRecord, handler: JobHandler): Promise<void> {
    const { job, payload } = record;
    const abort = new AbortController();
    const report = async (said: RunReport, progress = {}): Promise<void> => {
      const step = { ...said, owner: '', now: this.clock.now(), ...progress };
      await this.call('jobs.step', { id: job.id, step });
    };
    const progress = (done: number, total: number): Promise<void> =>
      report({ type: 'renew', leaseUntil: this.clock.now() + LEASE_MS }, { progress: { done, total } });
    this.running.set(job.id, { kind: job.kind, store: job.store, abort });
    // Cancelled after it was taken and before it stood in `running`, nobody has told it.
    if (!this.started || !this.isActive(job.id)) abort.abort();
    const done = runHandler(handler, { job, payload, signal: abort.signal, progress }, () => !this.started).then(
      // How it ended is kept however long nothing can be written: else the job would be under way for ever.
      async (outcome) => {
        const keeping = { again: this.mayPass, pauseMs: REPORT_EVERY_MS, steady: true };
        const isCancelled = abort.signal.aborted && this.started;
        const end = isCancelled ? null : endOf(record, outcome, this.clock.now());
        // Before the record says so: a process that dies in between runs it again, and tells again.
        if (end) await retry(() => this.tellEnd(end), keeping).catch(() => undefined);
        await retry(() => report(outcome), keeping);
      },
    );
    await done.finally(() => this.running.delete(job.id));
  }
}

function begin(period: Periodic): void {
  period.start();
  void period.run();
}
