import type { Job, NewJob } from '../../job-queue';

/** A job as it is kept. Times are epoch milliseconds. */
export interface JobRecord {
  job: Job;
  payload: unknown;
  key?: string;
  subject?: string;
  runAt: number;
  maxAttempts: number;
  backoffMs: number;
  /** One more each time the job is to be handed out: tells one hand-out from the next. */
  turn: number;
  /** Who works on it, and until when that is believed without a sign of life. */
  owner: string;
  leaseUntil: number;
}

/** What becomes of a record, or null where the step does not apply. */
export type Step = (record: JobRecord) => JobRecord | null;

const iso = (time: number): string => new Date(time).toISOString();

export function newRecord(id: string, job: NewJob, now: number): JobRecord {
  return {
    job: {
      id,
      kind: job.kind,
      store: job.store,
      state: 'waiting',
      progress: { done: 0, total: 0 },
      attempts: 0,
      createdAt: iso(now),
    },
    payload: job.payload ?? null,
    ...(job.key === undefined ? {} : { key: job.key }),
    ...(job.subject === undefined ? {} : { subject: job.subject }),
    runAt: now + (job.delayMs ?? 0),
    maxAttempts: job.attempts ?? 3,
    backoffMs: job.backoffMs ?? 1000,
    turn: 0,
    owner: '',
    leaseUntil: 0,
  };
}

export const isOpen = ({ job }: JobRecord): boolean => job.state === 'waiting' || job.state === 'active';

/** One worker takes what is due. */
export function leased({ owner, now, until }: { owner: string; now: number; until: number }): Step {
  return (record) => {
    if (record.job.state !== 'waiting' || record.runAt > now) return null;
    const { error: _error, endedAt: _endedAt, ...job } = record.job;
    const active: Job = { ...job, state: 'active', attempts: job.attempts + 1, startedAt: iso(now) };
    return { ...record, job: active, owner, leaseUntil: until };
  };
}

/** What only the worker that still has the job may do. */
export function owned(owner: string, step: (record: JobRecord) => JobRecord): Step {
  return (record) => (record.job.state === 'active' && record.owner === owner ? step(record) : null);
}

export function completed(record: JobRecord, { now, result }: { now: number; result: unknown }): JobRecord {
  const { error: _error, ...job } = record.job;
  const kept = result === undefined ? {} : { result };
  return { ...record, job: { ...job, state: 'completed', endedAt: iso(now), ...kept } };
}

/** Waits again, twice as long as the last time, until its attempts are used up. */
export function failed(record: JobRecord, { now, error }: { now: number; error: string }): JobRecord {
  const { job } = record;
  if (job.attempts >= record.maxAttempts) {
    return { ...record, job: { ...job, state: 'failed', error, endedAt: iso(now) } };
  }
  const runAt = now + record.backoffMs * 2 ** Math.min(job.attempts - 1, 20);
  return { ...record, job: { ...job, state: 'waiting', error }, runAt, turn: record.turn + 1 };
}

/** Handed back by a process that stops: that was no attempt. */
export function released(record: JobRecord, now: number): JobRecord {
  const { job } = record;
  return {
    ...record,
    job: { ...job, state: 'waiting', attempts: job.attempts - 1 },
    runAt: now,
    turn: record.turn + 1,
  };
}

/** Whose process showed no sign of life. A job that has used up its attempts that way fails: it may be what kills. */
export function takenOver(now: number): Step {
  return (record) => {
    if (record.job.state !== 'active' || record.leaseUntil > now) return null;
    const next = failed(record, { now, error: 'The process that worked on it ended' });
    return { ...next, runAt: now };
  };
}

export function cancelled(now: number): Step {
  return (record) =>
    isOpen(record) ? { ...record, job: { ...record.job, state: 'cancelled', endedAt: iso(now) } } : null;
}

export function retried(now: number): Step {
  return (record) => {
    const { state } = record.job;
    if (state !== 'failed' && state !== 'cancelled') return null;
    const { id, kind, store, createdAt } = record.job;
    const job: Job = {
      id,
      kind,
      store,
      state: 'waiting',
      progress: { done: 0, total: 0 },
      attempts: 0,
      createdAt,
    };
    return { ...record, job, runAt: now, turn: record.turn + 1 };
  };
}
