import { Worker } from 'node:worker_threads';
import { compiled } from '../../storage/threads';
import type { LearnMessage } from './learn-in-thread';
import type { LearnOptions, LearnSummary } from './model-learner';

/**
 * Runs a learning thread to its end. `module`: its file in `src`; `setup` is its `workerData`. Rejects where it fails, ends early
 * or is stopped by the signal; then the thread is gone.
 */
export function runLearningThread(
  module: string,
  setup: unknown,
  { take, signal }: LearnOptions,
): Promise<LearnSummary> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(compiled(module), { workerData: setup });
    const fail = (error: unknown): void => {
      void worker.terminate();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    const stop = (): void => fail(new Error('Learning was stopped'));
    signal.addEventListener('abort', stop, { once: true });
    worker.on('error', fail);
    worker.on('exit', () => {
      signal.removeEventListener('abort', stop);
      reject(new Error('The learning thread ended early'));
    });
    worker.on('message', (message: LearnMessage) => {
      if ('done' in message) resolve(message.done);
      else take(message.part).then(() => worker.postMessage('next'), fail);
    });
    if (signal.aborted) stop();
  });
}
