import type { Clock } from '../../../shared/clock';
import type { JobContext, JobHandler } from '../../job-queue';
import { completed, failed, type JobRecord, owned, released } from './job-record';
import type { JobRecords } from './job-records';

export interface Work {
  records: JobRecords;
  clock: Clock;
  handler: JobHandler;
  /** A sign of life is good for so long. */
  leaseMs: number;
}

/** How often a worker looks whether the job is still its own, in parts of a lease. */
const LOOKS_A_LEASE = 10;
const PROGRESS_EVERY_MS = 1000;
/** How long an outcome is tried to be kept where the records can't be written. */
const KEEP_WITHIN_MS = 60_000;
const KEEP_AGAIN_MS = 500;

/** A job this process works on: keeps its lease, tells it when it was cancelled or taken away, and keeps its outcome. */
export class RunningJob {
  private readonly abort = new AbortController();
  private readonly id: string;
  private handedBack = false;
  private leaseUntil: number;
  private progressed: { done: number; total: number } | null = null;
  private progressKeptAt = -Infinity;

  constructor(
    private readonly work: Work,
    private readonly record: JobRecord,
  ) {
    this.id = record.job.id;
    this.leaseUntil = record.leaseUntil;
  }

  /** Never throws; the record after it, or null where it was no longer ours. */
  async run(): Promise<JobRecord | null> {
    const looking = setInterval(() => void this.look().catch(() => undefined), this.work.leaseMs / LOOKS_A_LEASE);
    looking.unref();
    try {
      const result: unknown = await this.work.handler(this.context());
      return await this.keep((record, now) => completed(record, { now, result }));
    } catch (error) {
      if (this.abort.signal.aborted && this.handedBack) return await this.keep(released);
      return await this.keep((record, now) => failed(record, { now, error: messageOf(error) }));
    } finally {
      clearInterval(looking);
    }
  }

  /** It was cancelled or forgotten. */
  cancel(): void {
    this.abort.abort();
  }

  /** This process stops: somebody else shall go on with it. */
  handBack(): void {
    this.handedBack = true;
    this.abort.abort();
  }

  private context(): JobContext {
    const { job, payload } = this.record;
    const progress = (done: number, total: number): Promise<void> => this.progress({ done, total });
    return { job, payload, signal: this.abort.signal, progress };
  }

  /** Written at most once a second; the last with the outcome. That it can't be written is no reason to fail. */
  private async progress(progressed: { done: number; total: number }): Promise<void> {
    this.progressed = progressed;
    if (performance.now() - this.progressKeptAt < PROGRESS_EVERY_MS) return;
    this.progressKeptAt = performance.now();
    await this.renew().catch(() => undefined);
  }

  /** A read, mostly; a write where the lease is half over or there is progress to show. */
  private async look(): Promise<void> {
    const now = this.work.clock.now();
    if (now > this.leaseUntil) this.abort.abort();
    const record = await this.work.records.read(this.id);
    if (record?.job.state !== 'active' || record.owner !== this.record.owner) return this.abort.abort();
    const { progress } = record.job;
    const news =
      this.progressed && (progress.done !== this.progressed.done || progress.total !== this.progressed.total);
    if (news || this.leaseUntil - now < this.work.leaseMs / 2) await this.renew();
  }

  private async renew(): Promise<void> {
    const leaseUntil = this.work.clock.now() + this.work.leaseMs;
    const step = owned(this.record.owner, (record) => ({ ...this.withProgress(record), leaseUntil }));
    if (await this.work.records.change(this.id, step)) this.leaseUntil = leaseUntil;
    else this.abort.abort();
  }

  private withProgress(record: JobRecord): JobRecord {
    return this.progressed ? { ...record, job: { ...record.job, progress: this.progressed } } : record;
  }

  private async keep(outcome: (record: JobRecord, now: number) => JobRecord): Promise<JobRecord | null> {
    const { records, clock } = this.work;
    const step = owned(this.record.owner, (record) => outcome(this.withProgress(record), clock.now()));
    for (let waited = 0; ; waited += KEEP_AGAIN_MS) {
      try {
        return await records.change(this.id, step);
      } catch {
        // Without an outcome it is begun again by whoever finds its lease run out.
        if (waited >= KEEP_WITHIN_MS) return null;
        await new Promise((resolve) => setTimeout(resolve, KEEP_AGAIN_MS));
      }
    }
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 2000);
}
