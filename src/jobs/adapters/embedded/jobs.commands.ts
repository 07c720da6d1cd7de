import { defineWriterCommands } from '../../../storage/sqlite/writer-commands';
import type { SqlRow, Statements } from '../../../storage/sqlite/sqlite';
import type { Job, JobState } from '../../job-queue';

export interface JobInsert {
  id: string;
  kind: string;
  store: string;
  key: string | null;
  subject: string | null;
  runAt: number;
  attempts: number;
  backoff: number;
  created: number;
  /** JSON text. */
  payload: string;
}

export interface LeasedJob {
  job: Job;
  /** JSON text. */
  payload: string;
}

export const JOB_COLUMNS =
  'id, kind, store, state, done, total, attempts, error, result, created, started, ended, payload';

/** Finished jobs of the service itself that stay on the record, by kind; of stores, all do for a while. */
const SERVICE_JOBS_KEPT = 20;
const STORE_JOBS_KEPT_MS = 90 * 86_400_000;

export function jobOf(row: SqlRow): Job {
  const [id, kind, store, state, done, total, attempts, error, result, created, started, ended] = row;
  return {
    id: String(id),
    kind: String(kind),
    store: String(store),
    state: state as JobState,
    progress: { done: Number(done), total: Number(total) },
    attempts: Number(attempts),
    ...(error === null ? {} : { error: String(error) }),
    ...(result === null ? {} : { result: JSON.parse(String(result)) as unknown }),
    createdAt: iso(created),
    ...(started === null ? {} : { startedAt: iso(started) }),
    ...(ended === null ? {} : { endedAt: iso(ended) }),
  };
}

const iso = (time: unknown): string => new Date(Number(time)).toISOString();

/** For writer commands of other capabilities: a job in the same transaction as the write that causes it. */
export function enqueueJob(sql: Statements, job: JobInsert): string {
  if (job.key !== null) {
    const waiting = sql.one(
      `SELECT id FROM job WHERE kind = ? AND store = ? AND key = ? AND state = 'waiting' LIMIT 1`,
      job.kind,
      job.store,
      job.key,
    );
    if (waiting) return String(waiting[0]);
  }
  sql.run(
    `INSERT INTO job (id, kind, store, state, run_at, key, subject, done, total, attempts, max_attempts, backoff,
       lease_until, created, payload) VALUES (?, ?, ?, 'waiting', ?, ?, ?, 0, 0, 0, ?, ?, 0, ?, ?)`,
    job.id,
    job.kind,
    job.store,
    job.runAt,
    job.key,
    job.subject,
    job.attempts,
    job.backoff,
    job.created,
    job.payload,
  );
  return job.id;
}

function find(sql: Statements, id: string): LeasedJob | null {
  const row = sql.one(`SELECT ${JOB_COLUMNS} FROM job WHERE id = ?`, id);
  return row ? { job: jobOf(row), payload: String(row[12]) } : null;
}

/** Takes the job that is due for longest. */
function lease(sql: Statements, input: { kind: string; now: number; leaseMs: number }): LeasedJob | null {
  const due = sql.one(
    `SELECT id FROM job WHERE kind = ? AND state = 'waiting' AND run_at <= ? ORDER BY run_at, created, id LIMIT 1`,
    input.kind,
    input.now,
  );
  if (!due) return null;
  sql.run(
    `UPDATE job SET state = 'active', attempts = attempts + 1, started = ?, ended = NULL, error = NULL, lease_until = ?
     WHERE id = ?`,
    input.now,
    input.now + input.leaseMs,
    due[0],
  );
  return find(sql, String(due[0]));
}

interface Outcome {
  id: string;
  now: number;
  result?: string | null;
  error?: string;
}

function complete(sql: Statements, { id, now, result }: Outcome): null {
  sql.run(
    `UPDATE job SET state = 'completed', ended = ?, result = ?, error = NULL WHERE id = ? AND state = 'active'`,
    now,
    result ?? null,
    id,
  );
  sql.run(
    `DELETE FROM job WHERE store = '*' AND kind = (SELECT kind FROM job WHERE id = ?1) AND state = 'completed' AND id NOT IN (
       SELECT id FROM job WHERE store = '*' AND kind = (SELECT kind FROM job WHERE id = ?1) AND state = 'completed'
       ORDER BY ended DESC LIMIT ${SERVICE_JOBS_KEPT})`,
    id,
  );
  sql.run(`DELETE FROM job WHERE created < ? AND state NOT IN ('waiting', 'active')`, now - STORE_JOBS_KEPT_MS);
  return null;
}

/** Waits again, twice as long as the last time, until its attempts are used up. */
function fail(sql: Statements, { id, now, error }: Outcome): null {
  sql.run(
    `UPDATE job SET error = ?1,
       run_at = ?2 + backoff * (1 << min(attempts - 1, 20)),
       ended = CASE WHEN attempts < max_attempts THEN NULL ELSE ?2 END,
       state = CASE WHEN attempts < max_attempts THEN 'waiting' ELSE 'failed' END
     WHERE id = ?3 AND state = 'active'`,
    error ?? '',
    now,
    id,
  );
  return null;
}

function control(
  sql: Statements,
  { id, step, now }: { id: string; step: 'cancel' | 'retry' | 'forget'; now: number },
): Job | null {
  const before = find(sql, id);
  if (!before) return null;
  if (step === 'forget') {
    sql.run('DELETE FROM job WHERE id = ?', id);
    return before.job;
  }
  if (step === 'cancel') {
    sql.run(`UPDATE job SET state = 'cancelled', ended = ? WHERE id = ? AND state IN ('waiting', 'active')`, now, id);
  } else {
    sql.run(
      `UPDATE job SET state = 'waiting', run_at = ?, attempts = 0, error = NULL, result = NULL, started = NULL, ended = NULL,
         done = 0, total = 0 WHERE id = ? AND state IN ('failed', 'cancelled')`,
      now,
      id,
    );
  }
  return find(sql, id)?.job ?? null;
}

export const commands = defineWriterCommands({
  'jobs.enqueue': (sql, job: JobInsert): string => enqueueJob(sql, job),
  'jobs.lease': lease,
  'jobs.complete': complete,
  'jobs.fail': fail,
  'jobs.control': control,

  'jobs.progress': (sql, input: { id: string; done: number; total: number; leaseUntil: number }): null => {
    sql.run(
      `UPDATE job SET done = ?, total = ?, lease_until = ? WHERE id = ? AND state = 'active'`,
      input.done,
      input.total,
      input.leaseUntil,
      input.id,
    );
    return null;
  },

  /** Handed back by a process that stops: that was no attempt. */
  'jobs.release': (sql, { id, now }: { id: string; now: number }): null => {
    sql.run(
      `UPDATE job SET state = 'waiting', run_at = ?, attempts = attempts - 1 WHERE id = ? AND state = 'active'`,
      now,
      id,
    );
    return null;
  },

  /** What a process left active when it died. A job that has used up its attempts that way fails: it may be what kills. */
  'jobs.recover': (sql, { now }: { now: number }): number =>
    sql.run(
      `UPDATE job SET run_at = ?1, error = 'The process that worked on it ended',
         ended = CASE WHEN attempts < max_attempts THEN NULL ELSE ?1 END,
         state = CASE WHEN attempts < max_attempts THEN 'waiting' ELSE 'failed' END
       WHERE state = 'active'`,
      now,
    ),

  /** Enqueues a job of the service unless one is under way or the last is younger than its period. */
  'jobs.periodic': (sql, { job, periodMs }: { job: JobInsert; periodMs: number }): string | null => {
    const recent = sql.one(
      `SELECT 1 FROM job WHERE kind = ? AND store = '*' AND (state IN ('waiting', 'active') OR created > ?) LIMIT 1`,
      job.kind,
      job.created - periodMs,
    );
    return recent ? null : enqueueJob(sql, job);
  },
});
