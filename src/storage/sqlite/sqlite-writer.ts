import { PendingCalls } from '../../shared/async/pending-calls';
import { retry } from '../../shared/async/retry';
import { KeptThread } from '../kept-thread';
import { unavailable, WriteHealth } from './write-health';
import type { WriterMessage, WriterReply } from './write-group';
import { isLocked, writeTrouble } from './write-trouble';
import type { Calls, WriterCommands } from './writer-commands';
import type { WriterSetup } from './writer.thread';

/** Calls that may wait for the disk. More are refused, so that the heap doesn't grow without end where the disk has stopped. */
const MOST_WAITING = 20_000;
/** Calls of one message; fewer are sent at the end of this turn of the event loop. */
const CALLS_PER_MESSAGE = 8;
/** Milliseconds that a start waits where another process holds the lock. */
const OPEN_WITHIN_MS = 5000;
const YOUNG_MB = 8;

/**
 * The only writer of the embedded database. Calls that arrive while a commit is under way share the next one, so one fsync serves many
 * requests. Each call has a savepoint of its own and fails alone. Its promise resolves when its commit is on disk.
 *
 * Calls are sent without waiting for the commit before them. Under load the thread works while the event loop reads further requests;
 * otherwise the two would wait for each other in turns. A thread that dies is replaced: what it had not answered fails with
 * `unavailable`, and may be written or not.
 */
export class SqliteWriter {
  readonly health = new WriteHealth((bytes) => this.call('storage.probe', bytes));
  private readonly thread: KeptThread<WriterMessage, WriterReply>;
  private readonly pending = new PendingCalls();
  private queue: WriterMessage['calls'] = [];
  private sending: NodeJS.Immediate | undefined;
  private hasOpened = false;
  private closed: Error | undefined;

  constructor(setup: WriterSetup) {
    this.thread = new KeptThread({
      module: 'storage/sqlite/writer.thread',
      data: setup,
      youngMb: YOUNG_MB,
      replied: (reply: WriterReply) => this.take(reply),
      ended: (problem) => this.lost(problem),
    });
  }

  /** Resolves when the file is open and has this version's tables. Rejects where it can't be opened; the writer is over then. */
  async opened(): Promise<void> {
    const options = { again: isLocked, forMs: OPEN_WITHIN_MS, pauseMs: 100, steady: true };
    try {
      await retry(() => this.call('storage.flush', null), options);
    } catch (error) {
      await this.end();
      throw error;
    }
    this.hasOpened = true;
  }

  /** A call fails with `unavailable` where too many wait for the disk already; nothing of it is written then. */
  calls<P extends WriterCommands>(): Calls<P> {
    return (name, input) => this.call(name, input) as Promise<never>;
  }

  /** Milliseconds that the oldest call has waited for its commit; 0 where none waits. */
  get oldestMs(): number {
    return this.pending.oldestMs;
  }

  /** How often the thread was replaced. */
  get restarts(): number {
    return this.thread.restarts;
  }

  /** Waits for everything accepted so far, then closes the database. */
  async close(): Promise<void> {
    if (this.closed) return;
    // A database that takes nothing any more is closed all the same.
    await this.call('storage.flush', null).catch(() => undefined);
    await this.end();
  }

  private async end(): Promise<void> {
    this.health.close();
    this.closed ??= unavailable('The database is closed');
    clearImmediate(this.sending);
    // What was taken in while the flush was waited for is written, too.
    await this.thread.end({ close: true, calls: this.queue.splice(0) });
  }

  private call(name: string, input: unknown): Promise<unknown> {
    if (this.closed) return Promise.reject(this.closed);
    if (!this.thread.isRunning) return Promise.reject(restarting());
    if (this.pending.size >= MOST_WAITING) {
      return Promise.reject(unavailable('Too many writes wait for the disk; try again'));
    }
    return this.pending.add((id) => {
      this.queue.push({ id, name, input });
      if (this.queue.length >= CALLS_PER_MESSAGE) this.flush();
      else this.sending ??= setImmediate(() => this.flush());
    });
  }

  private flush(): void {
    clearImmediate(this.sending);
    this.sending = undefined;
    this.thread.send({ calls: this.queue });
    this.queue = [];
  }

  private take(reply: WriterReply): void {
    for (const { id, value, error } of reply.results) {
      if (error) this.refused(id, Object.assign(new Error(error.message), { name: error.name, code: error.code }));
      else this.pending.resolve(id, value);
    }
  }

  private refused(id: number, error: Error): void {
    if (writeTrouble(error) !== null) this.health.failed(error);
    this.pending.reject(id, error);
  }

  private lost(problem: unknown): void {
    const error = restarting(problem);
    if (!this.hasOpened) {
      this.thread.giveUp();
      this.closed ??= problem instanceof Error ? problem : error;
    }
    // What was not even sent is refused, too, and must not be written later.
    this.queue = [];
    this.pending.rejectAll(this.closed ?? error);
    if (!this.closed) this.health.failed(error);
  }
}

const restarting = (cause?: unknown): Error =>
  unavailable('The thread that writes the database has ended and is started again', cause);
