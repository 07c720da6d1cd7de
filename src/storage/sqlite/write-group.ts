import type { Statements } from './sqlite';
import { isLocked } from './write-trouble';
import type { WriterCommand } from './writer-commands';

export interface WriterMessage {
  calls: { id: number; name: string; input: unknown }[];
  close?: boolean;
}

export interface WriterReply {
  results: { id: number; value?: unknown; error?: { name: string; message: string; code?: string } }[];
}

type WriterCall = WriterMessage['calls'][number];

/** Milliseconds for which a commit takes in the calls that arrive while it runs earlier ones. */
const COLLECT_MS = 5;
/**
 * Milliseconds that a call waits for the lock while another process holds it: its caller is answered within a second. Once one has waited in
 * vain, others wait less: a caller may have waited for them before it came to its own.
 */
const LOCK_WITHIN_MS = 700;
const LOCK_STILL_WITHIN_MS = 50;

/** Whether a call has waited for the lock in vain, since somebody last had it. */
export interface LockState {
  isHeld: boolean;
}

interface GroupOptions {
  sql: Statements;
  commands: ReadonlyMap<string, WriterCommand>;
  /** Of the connection; groups hand it on. */
  lock: LockState;
  /** A message that has arrived since. */
  next(): WriterMessage | undefined;
  reply(reply: WriterReply): void;
}

/** One transaction of many calls, each behind a savepoint: those of the first message, and of all messages that arrive meanwhile. */
export class WriteGroup {
  /** Taken in, and not yet run. */
  private waiting: { call: WriterCall; since: number }[] = [];
  private readonly begun: number[] = [];
  private readonly results: WriterReply['results'] = [];
  closing = false;

  constructor(private readonly options: GroupOptions) {}

  /** Answers every call it took in. */
  run(first: WriterMessage): void {
    this.takeIn(first);
    if (!this.begin()) return;
    const { sql, reply } = this.options;
    try {
      this.runAll();
      sql.run('COMMIT');
      reply({ results: this.results });
    } catch (error) {
      if (sql.inTransaction) sql.exec('ROLLBACK');
      this.refuse([...this.begun, ...this.waiting.map(({ call }) => call.id)], error);
    }
  }

  private takeIn({ calls, close = false }: WriterMessage): void {
    const since = performance.now();
    for (const call of calls) this.waiting.push({ call, since });
    this.closing ||= close;
  }

  /** False where no call is left to run. While another process holds the lock, calls that have waited for too long are refused. */
  private begin(): boolean {
    const { sql, lock } = this.options;
    while (this.waiting.length > 0) {
      try {
        sql.run('BEGIN IMMEDIATE');
        lock.isHeld = false;
        return true;
      } catch (error) {
        const within = lock.isHeld ? LOCK_STILL_WITHIN_MS : LOCK_WITHIN_MS;
        const refused = this.refuseWaiting(error, isLocked(error) ? performance.now() - within : Infinity);
        lock.isHeld = isLocked(error) && (lock.isHeld || refused > 0);
        this.takeInAll();
      }
    }
    return false;
  }

  /** Those that have waited since then, or for longer; their number. */
  private refuseWaiting(error: unknown, until: number): number {
    const refused = this.waiting.filter(({ since }) => since <= until);
    this.waiting = this.waiting.filter(({ since }) => since > until);
    this.refuse(
      refused.map(({ call }) => call.id),
      error,
    );
    return refused.length;
  }

  private refuse(ids: number[], error: unknown): void {
    if (ids.length > 0) this.options.reply({ results: ids.map((id) => ({ id, error: describe(error) })) });
  }

  private takeInAll(): void {
    for (let message = this.nextMessage(); message; message = this.nextMessage()) this.takeIn(message);
  }

  private nextMessage(): WriterMessage | undefined {
    return this.closing ? undefined : this.options.next();
  }

  private runAll(): void {
    const until = performance.now() + COLLECT_MS;
    for (let more = true; more;) {
      const calls = this.waiting.splice(0).map(({ call }) => call);
      for (const { id } of calls) this.begun.push(id);
      for (const call of calls) this.runOne(call);
      const message = performance.now() > until ? undefined : this.nextMessage();
      if (message) this.takeIn(message);
      more = message !== undefined;
    }
  }

  private runOne({ id, name, input }: WriterCall): void {
    const { sql, commands } = this.options;
    sql.run('SAVEPOINT one');
    try {
      const command = commands.get(name);
      if (!command) throw new Error(`Unknown writer command ${name}`);
      this.results.push({ id, value: command(sql, input as never) });
    } catch (error) {
      // SQLite ends the whole transaction where the disk is full: nothing of it is written.
      if (!sql.inTransaction) throw error;
      sql.run('ROLLBACK TO one');
      this.results.push({ id, error: describe(error) });
    }
    sql.run('RELEASE one');
  }
}

function describe(error: unknown): { name: string; message: string; code?: string } {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const code = (error as { code?: unknown }).code;
  return { name: error.name, message: error.message, ...(typeof code === 'string' ? { code } : {}) };
}
