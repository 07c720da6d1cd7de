import { Worker } from 'node:worker_threads';
import { ApiError } from '../../shared/api-error';
import { PendingCalls } from '../../shared/async/pending-calls';
import type { Calls, WriterCommands } from './writer-commands';
import { compiled } from '../threads';
import type { WriterMessage, WriterReply, WriterSetup } from './writer.thread';

/** Calls that may wait for the disk. More are refused, so that the heap doesn't grow without end where the disk has stopped. */
const MOST_WAITING = 20_000;
/** Calls of one message; fewer are sent at the end of this turn of the event loop. */
const CALLS_PER_MESSAGE = 8;

/**
 * The only writer of the embedded database. Calls that arrive while a commit is under way share the next one, so one fsync serves many
 * requests. Each call has a savepoint of its own and fails alone. Its promise resolves when its commit is on disk.
 *
 * Calls are sent without waiting for the commit before them. Under load the thread works while the event loop reads further requests;
 * otherwise the two would wait for each other in turns.
 */
export class SqliteWriter {
  private readonly worker: Worker;
  private readonly pending = new PendingCalls();
  private queue: WriterMessage['calls'] = [];
  private sending: NodeJS.Immediate | undefined;
  private closed: Error | undefined;

  constructor(setup: WriterSetup) {
    this.worker = new Worker(compiled('storage/sqlite/writer.thread'), {
      workerData: setup,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    this.worker.on('message', (reply: WriterReply) => this.take(reply));
    this.worker.on('error', (error) => this.fail(error));
    this.worker.on('exit', () => this.fail(new ApiError('unavailable', 'The database is closed')));
  }

  /** A call fails with `unavailable` where too many wait for the disk already; nothing of it is written then. */
  calls<P extends WriterCommands>(): Calls<P> {
    return (name, input) =>
      (this.pending.size < MOST_WAITING ? this.call(name, input) : Promise.reject(overloaded())) as Promise<never>;
  }

  /** Milliseconds that the oldest call has waited for its commit; 0 where none waits. */
  get oldestMs(): number {
    return this.pending.oldestMs;
  }

  /** Waits for everything accepted so far, then closes the database. */
  async close(): Promise<void> {
    if (this.closed) return;
    await this.call('storage.flush', null);
    this.worker.postMessage({ close: true, calls: [] } satisfies WriterMessage);
    await new Promise<void>((done) => this.worker.once('exit', () => done()));
  }

  private call(name: string, input: unknown): Promise<unknown> {
    if (this.closed) return Promise.reject(this.closed);
    return this.pending.add((id) => {
      this.queue.push({ id, name, input });
      if (this.queue.length >= CALLS_PER_MESSAGE) this.flush();
      else this.sending ??= setImmediate(() => this.flush());
    });
  }

  private flush(): void {
    clearImmediate(this.sending);
    this.sending = undefined;
    this.worker.postMessage({ calls: this.queue } satisfies WriterMessage);
    this.queue = [];
  }

  private take(reply: WriterReply): void {
    for (const { id, value, error } of reply.results) {
      if (error)
        this.pending.reject(id, Object.assign(new Error(error.message), { name: error.name, code: error.code }));
      else this.pending.resolve(id, value);
    }
  }

  private fail(error: Error): void {
    this.closed ??= error;
    this.pending.rejectAll(this.closed);
  }
}

const overloaded = (): ApiError =>
  new ApiError('unavailable', 'Too many writes wait for the disk; try again', { retryAfter: 1 });
