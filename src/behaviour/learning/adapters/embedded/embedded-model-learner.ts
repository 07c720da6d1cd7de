import type { OnApplicationShutdown } from '@nestjs/common';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { LearningThreads } from '../../learning-threads';
import {
  type Handover,
  type LearnRequest,
  type LearnSummary,
  ModelLearner,
  type NewPurchases,
  MOST_COUNTED,
} from '../../model-learner';
import type { EmbeddedLearnSetup } from './learn.thread';

/** Learns in a thread of its own, with its own connection. */
export class EmbeddedModelLearner extends ModelLearner implements OnApplicationShutdown {
  /** It reads the same file as searches do, so one at a time. */
  override readonly atOnce = 1;
  private readonly threads: LearningThreads;

  constructor(private readonly database: EmbeddedDatabase) {
    super();
    const setup: EmbeddedLearnSetup = { path: database.path };
    this.threads = new LearningThreads('behaviour/learning/adapters/embedded/learn.thread', setup);
  }

  onApplicationShutdown(): Promise<void> {
    return this.threads.close();
  }

  override learn(request: LearnRequest, options: Handover): Promise<LearnSummary> {
    return this.threads.learn(request, options);
  }

  override async newPurchases(store: string, after: number): Promise<NewPurchases> {
    const where = `store = ? AND name = 'transaction' AND counted = 1`;
    const { reader } = this.database;
    const newer = `SELECT seq FROM event WHERE ${where} AND seq > ? LIMIT ?`;
    const counted = reader.one(`SELECT COUNT(*) FROM (${newer})`, store, after, MOST_COUNTED);
    const last = reader.one(`SELECT seq FROM event WHERE ${where} ORDER BY seq DESC LIMIT 1`, store);
    return { count: Number(counted?.[0] ?? 0), last: Number(last?.[0] ?? 0) };
  }

  override async newest(stores: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const newest = new Map<string, number>();
    for (const store of stores) {
      const { last } = await this.newPurchases(store, Number.MAX_SAFE_INTEGER);
      if (last > 0) newest.set(store, last);
    }
    return newest;
  }
}
