import { Worker } from 'node:worker_threads';
import { ApiError } from '../../shared/api-error';
import { PendingCalls } from '../../shared/async/pending-calls';
import type { Calls, WriterCommands } from './writer-commands';
import { compiled } from '../threads';
import type { WriterMessage, WriterReply, WriterSetup } from './writer.thread';

/** Calls that wait for a disk that has stopped; more are refused, so that the heap doesn't grow until the process ends. */
const MOST_WAITING = 20_000;
/** So many calls are sent at once; fewer, when this turn of the event loop is over. */
const CALLS_PER_MESSAGE = 8;

/**
 * The one writer of the embedded database. What arrives while a commit is under way shares the next one, so that one
 * fsync serves many requests; each call keeps a savepoint of its own and fails alone. A call's promise resolves only after
 * its commit is on disk.
 *
 * Calls are sent without waiting for the commit before them, and the thread takes what has arrived: under load it works
 * while the event loop is still reading requests, where the two would else wait for each other by turns.
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

  /** A call is refused with `unavailable` where too many wait for the disk already; nothing of it is written then. */
  calls<P extends WriterCommands>(): Calls<P> {
    return (name, input) =>
      (this.pending.size < MOST_WAITING ? this.call(name, input) : Promise.reject(overloaded())) as Promise<never>;
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
  new ApiError('unavailable', 'More waits to be written than can be kept; try again', { retryAfter: 1 });
