import { Worker } from 'node:worker_threads';
import { compiled } from '../../storage/threads';
import { type LearnMessage, MOST_GROWN } from './learn-in-thread';
import type { Handover, LearnRequest, LearnSummary } from './model-learner';

/**
 * How long a thread without work is kept, milliseconds: starting one takes longer than most stores have to teach, and many stores learn in a
 * row.
 */
const IDLE_MS = 5000;
/** Of what a thread reads little outlives a page: a large nursery would be memory beside a feed that is imported. */
const NURSERY = { maxYoungGenerationSizeMb: 6 };

/** The threads that one kind of storage learns in. */
export class LearningThreads {
  private readonly idle = new Map<Worker, { gone: () => void; end: NodeJS.Timeout }>();

  /** `module`: the thread's file in `src`; `setup` is its `workerData`. */
  constructor(
    private readonly module: string,
    private readonly setup: unknown,
  ) {}

  /** Rejects where the thread fails, ends early or is stopped by the signal; then it is gone. */
  learn(request: LearnRequest, { take, signal }: Handover): Promise<LearnSummary> {
    return new Promise((resolve, reject) => {
      const worker =
        this.takeIdle() ?? new Worker(compiled(this.module), { workerData: this.setup, resourceLimits: NURSERY });
      worker.ref();
      const leave = (): void => {
        signal.removeEventListener('abort', stop);
        worker.off('error', fail).off('exit', ended).off('message', read);
      };
      const fail = (error: unknown): void => {
        leave();
        void this.end(worker);
        reject(error instanceof Error ? error : new Error(String(error)));
      };
      const stop = (): void => fail(new Error('Learning was stopped'));
      const ended = (): void => fail(new Error('The learning thread ended early'));
      const read = (message: LearnMessage): void => {
        if ('part' in message) return void take(message.part).then(() => worker.postMessage('next'), fail);
        leave();
        if (message.grownBy <= MOST_GROWN) {
          this.keep(worker);
          return resolve(message.done);
        }
        // What it took is free before another large store is learned.
        void this.end(worker).then(() => resolve(message.done), reject);
      };
      signal.addEventListener('abort', stop, { once: true });
      worker.on('error', fail).on('exit', ended).on('message', read);
      if (signal.aborted) stop();
      else worker.postMessage({ learn: request });
    });
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.idle.keys(), (worker) => this.end(worker)));
  }

  private takeIdle(): Worker | undefined {
    // The last one that was kept: others end where it is enough.
    const worker = [...this.idle.keys()].at(-1);
    if (worker) this.leave(worker);
    return worker;
  }

  private keep(worker: Worker): void {
    worker.unref();
    const gone = (): void => this.leave(worker);
    worker.on('error', gone).on('exit', gone);
    const end = setTimeout(() => void this.end(worker), IDLE_MS).unref();
    this.idle.set(worker, { gone, end });
  }

  private async end(worker: Worker): Promise<void> {
    this.leave(worker);
    // What it fails of now is heard by nobody.
    worker.on('error', () => undefined);
    await worker.terminate();
  }

  /** It is idle no more. */
  private leave(worker: Worker): void {
    const { gone, end } = this.idle.get(worker) ?? {};
    clearTimeout(end);
    if (gone) worker.off('error', gone).off('exit', gone);
    this.idle.delete(worker);
  }
}
