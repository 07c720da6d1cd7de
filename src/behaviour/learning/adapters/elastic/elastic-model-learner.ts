import type { OnApplicationShutdown } from '@nestjs/common';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { EventIndex } from '../../../events/adapters/elastic/event-index';
import { LearningThreads } from '../../learning-threads';
import {
  type Handover,
  type LearnRequest,
  type LearnSummary,
  ModelLearner,
  type NewPurchases,
} from '../../model-learner';
import { storesWith } from '../../../../storage/elastic/stores-with';
import { all } from '../../../events/adapters/elastic/event-requests';
import { newPurchases, purchases } from './elastic-purchases';
import type { ElasticLearnSetup } from './learn.thread';

/** Learns in threads of their own, each with its own connection. */
export class ElasticModelLearner extends ModelLearner implements OnApplicationShutdown {
  /** For a small store most of the time is spent waiting for the cluster: others learn meanwhile, and share its refreshes. */
  override readonly atOnce = 4;
  private readonly events: EventIndex;
  private readonly threads: LearningThreads;

  constructor(private readonly connection: ElasticConnection) {
    super();
    this.events = new EventIndex(connection);
    const setup: ElasticLearnSetup = { elastic: connection.options };
    this.threads = new LearningThreads('behaviour/learning/adapters/elastic/learn.thread', setup);
  }

  onApplicationShutdown(): Promise<void> {
    return this.threads.close();
  }

  override learn(request: LearnRequest, options: Handover): Promise<LearnSummary> {
    return this.threads.learn(request, options);
  }

  override newPurchases(store: string, after: number): Promise<NewPurchases> {
    return newPurchases(this.events, store, after);
  }

  override newest(): Promise<ReadonlyMap<string, number>> {
    return storesWith(this.connection, this.events.pattern, { query: all(...purchases), highest: 'seq' });
  }
}
