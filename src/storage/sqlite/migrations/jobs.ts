/** Background work. Times are epoch ms. `key`: only one job waits under a key. `subject`: the shopper a job is about. */
export const jobsTables = `
CREATE TABLE job (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  store TEXT NOT NULL,
  state TEXT NOT NULL,
  run_at INTEGER NOT NULL,
  key TEXT,
  subject TEXT,
  done INTEGER NOT NULL,
  total INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  max_attempts INTEGER NOT NULL,
  backoff INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  created INTEGER NOT NULL,
  started INTEGER,
  ended INTEGER,
  error TEXT,
  result TEXT,
  payload TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX job_due ON job (kind, run_at) WHERE state = 'waiting';
CREATE INDEX job_active ON job (kind) WHERE state = 'active';
CREATE INDEX job_key ON job (kind, store, key) WHERE state = 'waiting';
CREATE INDEX job_created ON job (created);
`;

/** `asked_by`: who asked for it, as the audit list names them. */
export const jobAskers = 'ALTER TABLE job ADD COLUMN asked_by TEXT;';

/** What was done when the attempt began to count, and when that was. */
export const jobCounts = `
ALTER TABLE job ADD COLUMN counted_done INTEGER;
ALTER TABLE job ADD COLUMN counted_at INTEGER;
`;
