import type { SqlRow, Statements } from '../../../storage/sqlite/sqlite';
import { defineWriterCommands } from '../../../storage/sqlite/writer-commands';
import type { Job, JobState } from '../../job-queue';
import {
  abandoned,
  afterStep,
  JOBS_KEPT_MS,
  type JobRecord,
  type JobStep,
  SERVICE_JOBS_KEPT,
  STEPPED_BACK_MS,
} from '../../job-states';

/** Those of `jobOf` first. */
export const JOB_COLUMNS =
  'id, kind, store, state, done, total, attempts, error, result, created, started, ended, ' +
  'asked_by, counted_done, counted_at, payload, key, subject, run_at, max_attempts, backoff, lease_until';
/** How many of them a job is. */
const JOB_FIELDS = 15;

export function jobOf(row: SqlRow): Job {
  const [id, kind, store, state, done, total, attempts, error, result, created, started, ended, askedBy] = row;
  const [countedDone, countedAt] = row.slice(JOB_FIELDS - 2);
  return {
    id: String(id),
    kind: String(kind),
    store: String(store),
    state: state as JobState,
    progress: { done: Number(done), total: Number(total) },
    ...(countedAt === null ? {} : { countedFrom: { done: Number(countedDone), at: iso(countedAt) } }),
    attempts: Number(attempts),
    ...(error === null ? {} : { error: String(error) }),
    ...(result === null ? {} : { result: JSON.parse(String(result)) as unknown }),
    ...(askedBy === null ? {} : { askedBy: String(askedBy) }),
    createdAt: iso(created),
    ...(started === null ? {} : { startedAt: iso(started) }),
    ...(ended === null ? {} : { endedAt: iso(ended) }),
  };
}

const iso = (time: unknown): string => new Date(Number(time)).toISOString();
const ms = (time: string | undefined): number | null => (time === undefined ? null : Date.parse(time));

function recordOf(row: SqlRow): JobRecord {
  const [payload, key, subject, runAt, maxAttempts, backoffMs, leaseUntil] = row.slice(JOB_FIELDS);
  return {
    job: jobOf(row),
    payload: JSON.parse(String(payload)) as unknown,
    ...(key === null ? {} : { key: String(key) }),
    ...(subject === null ? {} : { subject: String(subject) }),
    runAt: Number(runAt),
    maxAttempts: Number(maxAttempts),
    backoffMs: Number(backoffMs),
    // There is one process, so whatever runs is its own.
    owner: '',
    leaseUntil: Number(leaseUntil),
  };
}

function select(sql: Statements, condition: string, ...values: unknown[]): JobRecord | null {
  const row = sql.one(`SELECT ${JOB_COLUMNS} FROM job WHERE ${condition} LIMIT 1`, ...values);
  return row ? recordOf(row) : null;
}

function save(sql: Statements, { job, ...record }: JobRecord): void {
  sql.run(
    `REPLACE INTO job (${JOB_COLUMNS}) VALUES (${JOB_COLUMNS.replaceAll(/\w+/g, '?')})`,
    job.id,
    job.kind,
    job.store,
    job.state,
    job.progress.done,
    job.progress.total,
    job.attempts,
    job.error ?? null,
    job.result === undefined ? null : JSON.stringify(job.result),
    ms(job.createdAt),
    ms(job.startedAt),
    ms(job.endedAt),
    job.askedBy ?? null,
    job.countedFrom?.done ?? null,
    ms(job.countedFrom?.at),
    JSON.stringify(record.payload),
    record.key ?? null,
    record.subject ?? null,
    record.runAt,
    record.maxAttempts,
    record.backoffMs,
    record.leaseUntil,
  );
}

function change(sql: Statements, before: JobRecord, step: JobStep): JobRecord {
  const after = afterStep(before, step);
  if (after) save(sql, after);
  return after ?? before;
}

/** Id of the new job, or of a waiting one with the same key. */
function enqueue(sql: Statements, record: JobRecord): string {
  const { job, key } = record;
  const waiting =
    key === undefined
      ? null
      : select(sql, `kind = ? AND store = ? AND key = ? AND state = 'waiting'`, job.kind, job.store, key);
  if (!waiting) save(sql, record);
  return (waiting ?? record).job.id;
}

/** Of the service's own jobs the latest of each kind stay on record, of stores' all do for a while. */
function prune(sql: Statements, kind: string, now: number): void {
  sql.run(
    `DELETE FROM job WHERE store = '*' AND kind = ?1 AND state = 'completed' AND id NOT IN (
       SELECT id FROM job WHERE store = '*' AND kind = ?1 AND state = 'completed' ORDER BY ended DESC LIMIT ?2)`,
    kind,
    SERVICE_JOBS_KEPT,
  );
  const old = now - JOBS_KEPT_MS;
  sql.run(`DELETE FROM job WHERE created < ?1 AND ended < ?1 AND state NOT IN ('waiting', 'active')`, old);
}

interface TakeRequest {
  kind: string;
  store: string;
  now: number;
  leaseUntil: number;
}

export const commands = defineWriterCommands({
  'jobs.enqueue': enqueue,

  /** Enqueues a job of the service unless one is under way or the last is younger than its period. */
  'jobs.enqueuePeriodic': (sql, { record, periodMs }: { record: JobRecord; periodMs: number }): string | null => {
    const recent = sql.one(
      `SELECT 1 FROM job WHERE kind = ? AND store = '*'
         AND (state IN ('waiting', 'active') OR (created > ? AND created < ?)) LIMIT 1`,
      record.job.kind,
      Date.parse(record.job.createdAt) - periodMs,
      Date.parse(record.job.createdAt) + STEPPED_BACK_MS,
    );
    return recent ? null : enqueue(sql, record);
  },

  /** Takes the job of a store that has been due for longest, unless one of its kind is under way. */
  'jobs.take': (sql, { kind, store, now, leaseUntil }: TakeRequest): JobRecord | null => {
    if (select(sql, `kind = ? AND store = ? AND state = 'active'`, kind, store)) return null;
    const due = `kind = ? AND store = ? AND state = 'waiting' AND run_at <= ? ORDER BY run_at, created, id`;
    const record = select(sql, due, kind, store, now);
    return record && change(sql, record, { type: 'take', now, owner: '', leaseUntil });
  },

  /** The job afterwards, unchanged where the step does not apply; null where there is none. */
  'jobs.step': (sql, { id, step }: { id: string; step: JobStep }): Job | null => {
    const before = select(sql, 'id = ?', id);
    if (!before) return null;
    const { job } = change(sql, before, step);
    if (step.type === 'complete') prune(sql, job.kind, step.now);
    return job;
  },

  /** The job as it was. */
  'jobs.forget': (sql, id: string): Job | null => {
    const before = select(sql, 'id = ?', id);
    sql.run('DELETE FROM job WHERE id = ?', id);
    return before?.job ?? null;
  },

  /** The clock stepped back by so many milliseconds: what waits for a time of before waits no longer than it was to. */
  'jobs.clockSteppedBack': (sql, by: number): null => {
    sql.run(
      `UPDATE job SET run_at = run_at - ?1, lease_until = lease_until - ?1 WHERE state IN ('waiting', 'active')`,
      by,
    );
    return null;
  },

  /**
   * Takes from the runs of a process that has ended what they left active. What was asked for after now was asked for by a clock that has stepped
   * back since. Answers the jobs that had no attempt left.
   */
  'jobs.recover': (sql, now: number): Job[] => {
    const active = sql.all(`SELECT ${JOB_COLUMNS} FROM job WHERE state = 'active'`);
    const freed = active.map((row) => abandoned(recordOf(row), now));
    for (const record of freed) save(sql, record);
    sql.run(
      `UPDATE job SET run_at = run_at - (created - ?1) WHERE state = 'waiting' AND created > ?1 + ?2`,
      now,
      STEPPED_BACK_MS,
    );
    return freed.flatMap(({ job }) => (job.state === 'failed' ? [job] : []));
  },
});
