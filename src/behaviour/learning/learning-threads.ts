import { Worker } from 'node:worker_threads';
import { compiled } from '../../storage/threads';
import type { LearnMessage } from './learn-in-thread';
import type { Handover, LearnRequest, LearnSummary } from './model-learner';

/**
 * How long a thread without work is kept, milliseconds: starting one takes longer than most stores have to teach, and many stores learn one after
 * the other.
 */
const IDLE_MS = 5000;

/** Of what a thread reads little outlives a page: a large nursery would be memory beside a feed that is imported. */
const NURSERY = { maxYoungGenerationSizeMb: 6 };

/** The threads that one kind of storage learns in. */
export class LearningThreads {
  private idle: { worker: Worker; gone: () => void; end: NodeJS.Timeout } | null = null;

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
        // What it fails of once more is heard by nobody.
        worker.on('error', () => undefined);
        void worker.terminate();
        reject(error instanceof Error ? error : new Error(String(error)));
      };
      const stop = (): void => fail(new Error('Learning was stopped'));
      const ended = (): void => fail(new Error('The learning thread ended early'));
      const read = (message: LearnMessage): void => {
        if ('part' in message) return void take(message.part).then(() => worker.postMessage('next'), fail);
        leave();
        this.keep(worker);
        resolve(message.done);
      };
      signal.addEventListener('abort', stop, { once: true });
      worker.on('error', fail).on('exit', ended).on('message', read);
      if (signal.aborted) stop();
      else worker.postMessage({ learn: request });
    });
  }

  async close(): Promise<void> {
    await this.takeIdle()?.terminate();
  }

  private takeIdle(): Worker | null {
    const { idle } = this;
    if (!idle) return null;
    const { worker, gone, end } = idle;
    clearTimeout(end);
    worker.off('error', gone).off('exit', gone);
    this.idle = null;
    return worker;
  }

  /** One at most. */
  private keep(worker: Worker): void {
    void this.takeIdle()?.terminate();
    worker.unref();
    const gone = (): void => void (this.idle?.worker === worker && this.takeIdle());
    worker.on('error', gone).on('exit', gone);
    const end = setTimeout(() => void this.takeIdle()?.terminate(), IDLE_MS).unref();
    this.idle = { worker, gone, end };
  }
}
