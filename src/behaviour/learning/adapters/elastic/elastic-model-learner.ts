import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { EventIndex } from '../../../events/adapters/elastic/event-index';
import { runLearningThread } from '../../learning-thread';
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

/** Learns in a thread of its own, with its own connection, which is gone when it has learned. */
export class ElasticModelLearner extends ModelLearner {
  private readonly events: EventIndex;

  constructor(private readonly connection: ElasticConnection) {
    super();
    this.events = new EventIndex(connection);
  }

  override learn(request: LearnRequest, options: Handover): Promise<LearnSummary> {
    const setup: ElasticLearnSetup = { elastic: this.connection.options, request };
    return runLearningThread('behaviour/learning/adapters/elastic/learn.thread', setup, options);
  }

  override newPurchases(store: string, after: number): Promise<NewPurchases> {
    return newPurchases(this.events, store, after);
  }

  override newest(): Promise<ReadonlyMap<string, number>> {
    return storesWith(this.connection, this.events.pattern, { query: all(...purchases), highest: 'seq' });
  }
}
