import type { SeenVersions } from '../documents/peers';
import type { Job, JobState, NewJob } from './job-queue';

/** A job as it is kept. Times are epoch milliseconds. */
export interface JobRecord {
  job: Job;
  payload: unknown;
  key?: string;
  subject?: string;
  /** When a waiting job may be taken. */
  runAt: number;
  maxAttempts: number;
  backoffMs: number;
  /** The run that has the job; it is believed to be alive until `leaseUntil`. */
  owner: string;
  leaseUntil: number;
  /** By the clock that `runAt` and `leaseUntil` were set by; absent: a version before this one set them. */
  setAt?: number;
  /** What whoever asked for it had seen: it begins where all of that is seen. Absent: one process has seen it all. */
  seen?: SeenVersions;
}

/** How a run ended. `final`: no further attempt would go better. `release`: its process stops, so another shall go on. */
export type Outcome =
  | { type: 'complete'; result: unknown }
  | { type: 'fail'; error: string; final?: true; result?: unknown }
  | { type: 'release' };

/** What a run says of its job. */
export type RunReport = Outcome | { type: 'renew'; leaseUntil: number };

export type RunStep = RunReport & { owner: string; now: number; progress?: Job['progress'] };

export type JobStep =
  | { type: 'take'; now: number; owner: string; leaseUntil: number }
  | { type: 'cancel' | 'retry'; now: number }
  | { type: 'clock'; now: number }
  | RunStep;

/** A clock that is behind the one a time was set by by more than this has stepped back: those of machines differ by less. */
export const STEPPED_BACK_MS = 60_000;

/** Of the service's own completed jobs so many of each kind stay on record. */
export const SERVICE_JOBS_KEPT = 20;
/** Every other job stays on record for so long after it has ended. */
export const JOBS_KEPT_MS = 30 * 86_400_000;

/** How often it is looked whether a period has begun: often enough that a restart does not put off a long one. Milliseconds. */
export const tickOf = (periodMs: number): number => Math.min(periodMs, 60_000);

const iso = (time: number): string => new Date(time).toISOString();

export function newRecord(id: string, job: NewJob, now: number, seen?: SeenVersions): JobRecord {
  const { kind, store } = job;
  return {
    job: waitingJob({ id, kind, store, createdAt: iso(now), ...(job.askedBy ? { askedBy: job.askedBy } : {}) }),
    payload: job.payload ?? null,
    ...(job.key === undefined ? {} : { key: job.key }),
    ...(job.subject === undefined ? {} : { subject: job.subject }),
    runAt: now + (job.delayMs ?? 0),
    maxAttempts: job.attempts ?? 3,
    backoffMs: job.backoffMs ?? 1000,
    owner: '',
    leaseUntil: 0,
    setAt: now,
    ...(seen ? { seen } : {}),
  };
}

/** The job as an outcome ends it; null where it goes on: it is tried again, or handed back. */
export function endOf(record: JobRecord, outcome: Outcome, now: number): Job | null {
  const after = afterStep(record, { ...outcome, owner: record.owner, now });
  return after && !isOpen(after) ? after.job : null;
}

/** A waiting job that somebody else asks for too, who has seen more; null where they have not. */
export function askedAgain(record: JobRecord, seen: SeenVersions): JobRecord | null {
  const known = record.seen ?? {};
  const newer = Object.entries(seen).filter(([name, version]) => version > (known[name] ?? 0));
  return newer.length > 0 ? { ...record, seen: { ...known, ...Object.fromEntries(newer) } } : null;
}

export const isOpen = ({ job: { state } }: JobRecord): boolean => state === 'waiting' || state === 'active';

/** The record after the step; null where the step does not apply to a job in this state. */
export function afterStep(record: JobRecord, step: JobStep): JobRecord | null {
  if (step.type === 'clock') return steppedBack(record, step.now);
  const next = afterWork(record, step);
  return next && { ...next, setAt: step.now };
}

/** A clock that stepped back makes nobody wait for what it said before: all times of an open job step back with it. */
function steppedBack(record: JobRecord, now: number): JobRecord | null {
  const by = (record.setAt ?? 0) - now;
  if (!isOpen(record) || by <= STEPPED_BACK_MS) return null;
  return { ...record, runAt: record.runAt - by, leaseUntil: record.leaseUntil - by, setAt: now };
}

function afterWork(record: JobRecord, step: Exclude<JobStep, { type: 'clock' }>): JobRecord | null {
  switch (step.type) {
    case 'take':
      return taken(record, step);
    case 'cancel':
      return isOpen(record) ? ended(record, 'cancelled', step.now) : null;
    case 'retry':
      if (record.job.state !== 'failed' && record.job.state !== 'cancelled') return null;
      return { ...record, job: waitingJob(record.job), runAt: step.now };
    default: {
      // Only the run that has the job may say how it goes.
      if (record.job.state !== 'active' || record.owner !== step.owner) return null;
      const job = step.progress ? counted(record.job, step.progress, step.now) : record.job;
      return afterRunStep({ ...record, job }, step);
    }
  }
}

/** What comes before anything is done, such as reading a feed, says nothing of the pace, nor does what an earlier attempt did. */
function counted({ countedFrom, ...job }: Job, progress: Job['progress'], now: number): Job {
  const { done } = progress;
  if (countedFrom && done >= countedFrom.done) return { ...job, progress, countedFrom };
  return done > 0 ? { ...job, progress, countedFrom: { done, at: iso(now) } } : { ...job, progress };
}

/** The record of a job whose process ended. It counts as an attempt, and the last one fails: the job may be what ends processes. */
export function abandoned(record: JobRecord, now: number): JobRecord {
  return { ...failed(record, { now, error: 'The process that worked on it ended' }), runAt: now };
}

/** A waiting job whose time has come, or an active one whose lease is over. */
function taken(record: JobRecord, { now, owner, leaseUntil }: Extract<JobStep, { type: 'take' }>): JobRecord | null {
  if (record.job.state === 'active') {
    if (record.leaseUntil > now) return null;
    const freed = abandoned(record, now);
    return isOpen(freed) ? taken(freed, { type: 'take', now, owner, leaseUntil }) : freed;
  }
  if (record.job.state !== 'waiting' || record.runAt > now) return null;
  const { error: _error, endedAt: _endedAt, countedFrom: _from, ...job } = record.job;
  const active: Job = { ...job, state: 'active', attempts: job.attempts + 1, startedAt: iso(now) };
  return { ...record, job: active, owner, leaseUntil };
}

function afterRunStep(record: JobRecord, step: RunStep): JobRecord {
  const { job } = record;
  if (step.type === 'renew') return { ...record, leaseUntil: step.leaseUntil };
  if (step.type === 'fail') return failed(record, step);
  if (step.type === 'release') {
    return { ...record, job: { ...job, state: 'waiting', attempts: job.attempts - 1 }, runAt: step.now };
  }
  const result = step.result === undefined ? {} : { result: step.result };
  return ended({ ...record, job: { ...job, ...result } }, 'completed', step.now);
}

/** It waits again, twice as long as the last time, until its attempts are used up. */
function failed(
  record: JobRecord,
  { now, error, final, result }: Pick<Extract<RunStep, { type: 'fail' }>, 'now' | 'error' | 'final' | 'result'>,
): JobRecord {
  const job = { ...record.job, error, ...(result === undefined ? {} : { result }) };
  if (final || job.attempts >= record.maxAttempts) return ended({ ...record, job }, 'failed', now);
  const runAt = now + record.backoffMs * 2 ** Math.min(job.attempts - 1, 20);
  return { ...record, job: { ...job, state: 'waiting' }, runAt };
}

function ended(record: JobRecord, state: JobState, now: number): JobRecord {
  return { ...record, job: { ...record.job, state, endedAt: iso(now) } };
}

type AskedJob = Pick<Job, 'id' | 'kind' | 'store' | 'createdAt' | 'askedBy'>;

function waitingJob({ id, kind, store, createdAt, askedBy }: AskedJob): Job {
  const asked = { id, kind, store, createdAt, ...(askedBy === undefined ? {} : { askedBy }) };
  return { ...asked, state: 'waiting', progress: { done: 0, total: 0 }, attempts: 0 };
}
