import Database from 'libsql';
import { ApiError } from '../../shared/api-error';

export type SqliteDatabase = Database.Database;
export type SqlRow = readonly unknown[];

export interface OpenOptions {
  readonly?: boolean;
  /** What is read is not read again. Of a readonly one. */
  readsOnce?: boolean;
}

/**
 * The only place that opens the embedded database, so that the driver can change in one file.
 * WAL with `synchronous=FULL`: a commit that returned survives a killed process and a power cut.
 */
export function openDatabase(path: string, { readonly = false, readsOnce = false }: OpenOptions = {}): SqliteDatabase {
  const db = new Database(path);
  db.exec('PRAGMA busy_timeout = 5000');
  if (readonly) {
    db.exec('PRAGMA query_only = 1');
    // Small: what is read often is kept decoded in memory, and the system caches the file.
    db.exec(`PRAGMA cache_size = ${readsOnce ? -500 : -4000}`);
  } else {
    db.exec('PRAGMA journal_mode = WAL');
    db.exec('PRAGMA synchronous = FULL');
    db.exec('PRAGMA wal_autocheckpoint = 2000');
    db.exec('PRAGMA cache_size = -8000');
  }
  db.exec('PRAGMA temp_store = MEMORY');
  return db;
}

/**
 * An SQLite file that this process has for itself until it is closed or the process ends. Nothing is written to it. Throws SQLITE_BUSY where
 * another one has it for longer than `waitMs` milliseconds.
 */
export function openLocked(path: string, waitMs: number): SqliteDatabase {
  const db = new Database(path);
  try {
    db.exec(`PRAGMA busy_timeout = ${waitMs}`);
    db.exec('PRAGMA journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A file for the length of some work: nothing of it has to survive the process, and little of it is held in memory. */
export function openScratch(path: string): SqliteDatabase {
  const db = new Database(path);
  db.exec('PRAGMA journal_mode = OFF');
  db.exec('PRAGMA synchronous = OFF');
  db.exec('PRAGMA cache_size = -16000');
  db.exec('PRAGMA temp_store = FILE');
  return db;
}

/** A prepared statement that returns rows as arrays; prepared once per connection and text. */
export class Statements {
  private readonly prepared = new Map<string, Database.Statement>();
  private closed = false;

  constructor(readonly db: SqliteDatabase) {}

  all(sql: string, ...args: unknown[]): SqlRow[] {
    return this.get(sql)
      .raw()
      .all(...withoutNul(args)) as SqlRow[];
  }

  /** The first row, or undefined. Cheaper than `all`, whose rows the driver iterates. */
  one(sql: string, ...args: unknown[]): SqlRow | undefined {
    return this.get(sql)
      .raw()
      .get(...withoutNul(args)) as SqlRow | undefined;
  }

  /** Number of rows changed. */
  run(sql: string, ...args: unknown[]): number {
    return this.get(sql).run(...withoutNul(args)).changes;
  }

  exec(sql: string): void {
    this.refuseClosed();
    this.db.exec(sql);
  }

  get inTransaction(): boolean {
    return !this.closed && this.db.inTransaction;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.prepared.clear();
    this.db.close();
  }

  private get(sql: string): Database.Statement {
    this.refuseClosed();
    let statement = this.prepared.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      this.prepared.set(sql, statement);
    }
    return statement;
  }

  /** The driver would abort the whole process: work that a stopping process does not wait for may still be under way. */
  private refuseClosed(): void {
    if (this.closed) throw new ApiError('unavailable', 'The database is closed');
  }
}

/** SQLite would give a text back only up to its first NUL, and that may be another text that exists too. */
function withoutNul(args: unknown[]): unknown[] {
  for (const [index, arg] of args.entries()) {
    if (typeof arg === 'string' && arg.includes('\0')) args[index] = arg.replaceAll('\0', '\uFFFD');
  }
  return args;
}
