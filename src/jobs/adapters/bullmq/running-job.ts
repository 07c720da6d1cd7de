import { Periodic } from '../../../shared/async/periodic';
import { retry } from '../../../shared/async/retry';
import { within } from '../../../shared/async/within';
import type { Clock } from '../../../shared/clock';
import type { Job, JobEndListener, JobHandler } from '../../job-queue';
import { endOf, type JobRecord, type Outcome, type RunReport } from '../../job-states';
import { runHandler } from '../../run-handler';
import type { JobRecords } from './job-records';

/** How often a run looks whether the job is still its own, in each lease; a cancelled one stops within a second. */
const LOOKS_PER_LEASE = 10;
const LONGEST_LOOK_MS = 500;
const PROGRESS_EVERY_MS = 1000;
/** Where the records can't be written, the outcome is tried to be kept again and again for so long. */
const KEEP_WITHIN_MS = 60_000;
const KEEP_AGAIN_MS = 500;

/** A job this process works on: renews its lease, tells it when it was cancelled or taken away, and keeps its outcome. */
export class RunningJob {
  private readonly abort = new AbortController();
  private readonly id: string;
  private leaseUntil: number;
  private isHandedBack = false;
  private progress: Job['progress'] | undefined;
  private progressKeptAt = -Infinity;

  constructor(
    private readonly record: JobRecord,
    private readonly records: JobRecords,
    private readonly clock: Clock,
    private readonly leaseMs: number,
  ) {
    this.id = record.job.id;
    this.leaseUntil = record.leaseUntil;
  }

  /** Never rejects. `tellEnd` hears of the end before it is kept. The record afterwards; null where the job was no longer ours or its outcome could not be kept. */
  async run(handler: JobHandler, tellEnd: JobEndListener): Promise<JobRecord | null> {
    const everyMs = Math.min(LONGEST_LOOK_MS, this.leaseMs / LOOKS_PER_LEASE);
    // A look that hangs must not keep the next one from seeing that the lease is over.
    const looking = new Periodic(everyMs, () => within(everyMs, this.look()));
    looking.start();
    const { job, payload } = this.record;
    const progress = (done: number, total: number): Promise<void> => this.showProgress({ done, total });
    const context = { job, payload, signal: this.abort.signal, progress };
    const outcome = await runHandler(handler, context, () => this.isHandedBack);
    const keeping = { again: () => true, forMs: KEEP_WITHIN_MS, pauseMs: KEEP_AGAIN_MS, steady: true };
    // Without an outcome the job begins again once its lease is over.
    const kept = await retry(() => this.keep(outcome, tellEnd), keeping).catch(() => null);
    await looking.stop();
    // Where it can't be left, it is over with the lease.
    await this.records.leave(this.record).catch(() => undefined);
    return kept;
  }

  /** Told first: a process that dies in between leaves a job that runs again, and is told of again. */
  private async keep(outcome: Outcome, tellEnd: JobEndListener): Promise<JobRecord | null> {
    const isOurs = !this.abort.signal.aborted || this.isHandedBack;
    const end = isOurs ? endOf(this.record, outcome, this.clock.now()) : null;
    if (end) await tellEnd(end);
    return this.change(outcome);
  }

  /** It was cancelled or forgotten. */
  cancel(): void {
    this.abort.abort();
  }

  /** This process stops: another one shall go on with the job. */
  handBack(): void {
    this.isHandedBack = true;
    this.abort.abort();
  }

  /** Written at most once a second; the last one is written with the outcome. That it can't be written is no reason to fail. */
  private async showProgress(progress: Job['progress']): Promise<void> {
    this.progress = progress;
    if (performance.now() - this.progressKeptAt < PROGRESS_EVERY_MS) return;
    this.progressKeptAt = performance.now();
    await this.renew().catch(() => undefined);
  }

  /** A read, mostly; a write where half of the lease is over or there is progress to show. */
  private async look(): Promise<void> {
    const now = this.clock.now();
    if (now > this.leaseUntil) this.abort.abort();
    const record = await this.records.read(this.id);
    if (record?.job.state !== 'active' || record.owner !== this.record.owner) return this.abort.abort();
    // Another process may have set it by a clock that stepped back.
    this.leaseUntil = record.leaseUntil;
    const shown = record.job.progress;
    const { done, total } = this.progress ?? shown;
    const isNew = done !== shown.done || total !== shown.total;
    if (isNew || this.leaseUntil - now < this.leaseMs / 2) await this.renew();
  }

  private async renew(): Promise<void> {
    const leaseUntil = this.clock.now() + this.leaseMs;
    if (await this.change({ type: 'renew', leaseUntil })) this.leaseUntil = leaseUntil;
    else this.abort.abort();
  }

  private change(report: RunReport): Promise<JobRecord | null> {
    const { owner } = this.record;
    const progress = this.progress ? { progress: this.progress } : {};
    return this.records.change(this.id, { ...report, owner, now: this.clock.now(), ...progress });
  }
}
