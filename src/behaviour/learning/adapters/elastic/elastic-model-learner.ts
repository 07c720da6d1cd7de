import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { runLearningThread } from '../../learning-thread';
import {
  type LearnedPart,
  type LearnRequest,
  type LearnSummary,
  ModelLearner,
  MOST_COUNTED,
} from '../../model-learner';
import type { LearnSetup } from './learn.thread';

/** What of the log tells how many purchases came since. */
export interface PurchaseCounts {
  newPurchases(store: string, after: number, most: number): Promise<{ count: number; last: number }>;
}

/** Learns in a thread of its own, with its own connection, which is gone when it has learned. */
export class ElasticModelLearner extends ModelLearner {
  constructor(
    private readonly connection: ElasticConnection,
    private readonly log: PurchaseCounts,
  ) {
    super();
  }

  override learn(
    request: LearnRequest,
    options: { take: (part: LearnedPart) => Promise<void>; signal: AbortSignal },
  ): Promise<LearnSummary> {
    const setup: LearnSetup = { elastic: this.connection.options, request };
    return runLearningThread('behaviour/learning/adapters/elastic/learn.thread', setup, options);
  }

  override newPurchases(store: string, after: number): Promise<{ count: number; last: number }> {
    return this.log.newPurchases(store, after, MOST_COUNTED);
  }
}
