import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { runLearningThread } from '../../learning-thread';
import {
  type Handover,
  type LearnRequest,
  type LearnSummary,
  ModelLearner,
  type NewPurchases,
  MOST_COUNTED,
} from '../../model-learner';
import type { EmbeddedLearnSetup } from './learn.thread';

/** Learns in a thread of its own, with its own connection, which is gone when it has learned. */
export class EmbeddedModelLearner extends ModelLearner {
  constructor(private readonly database: EmbeddedDatabase) {
    super();
  }

  override learn(request: LearnRequest, options: Handover): Promise<LearnSummary> {
    const setup: EmbeddedLearnSetup = { path: this.database.path, request };
    return runLearningThread('behaviour/learning/adapters/embedded/learn.thread', setup, options);
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
