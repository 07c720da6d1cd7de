import { Worker } from 'node:worker_threads';
import type { EmbeddedDatabase } from '../../../../storage/embedded-database';
import { compiled } from '../../../../storage/threads';
import { type LearnedPart, type LearnRequest, type LearnSummary, ModelLearner } from '../../model-learner';
import type { LearnMessage, LearnSetup } from './learn.thread';

const MOST_COUNTED = 1000;

/** Learns in a thread of its own, with its own connection, which is gone when it has learned. */
export class EmbeddedModelLearner extends ModelLearner {
  constructor(private readonly database: EmbeddedDatabase) {
    super();
  }

  override learn(
    request: LearnRequest,
    { take, signal }: { take: (part: LearnedPart) => Promise<void>; signal: AbortSignal },
  ): Promise<LearnSummary> {
    const setup: LearnSetup = { path: this.database.path, request };
    return new Promise((resolve, reject) => {
      const worker = new Worker(compiled('behaviour/learning/adapters/embedded/learn.thread'), { workerData: setup });
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

  override async newPurchases(store: string, after: number): Promise<{ count: number; last: number }> {
    const where = `store = ? AND name = 'transaction' AND counted = 1`;
    const { reader } = this.database;
    const counted = reader.one(
      `SELECT COUNT(*) FROM (SELECT seq FROM event WHERE ${where} AND seq > ? LIMIT ?)`,
      store,
      after,
      MOST_COUNTED,
    );
    const last = reader.one(`SELECT seq FROM event WHERE ${where} ORDER BY seq DESC LIMIT 1`, store);
    return { count: Number(counted?.[0] ?? 0), last: Number(last?.[0] ?? 0) };
  }
}
