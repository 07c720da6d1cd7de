import { ElasticEventLog } from '../../src/behaviour/events/adapters/elastic/elastic-event-log';
import { ElasticModelLearner } from '../../src/behaviour/learning/adapters/elastic/elastic-model-learner';
import { ElasticCatalogRecords } from '../../src/catalog/records/adapters/elastic/elastic-catalog-records';
import { SystemClock } from '../../src/shared/clock';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';
import { describeModelLearnerContract } from './model-learner.contract';

const clock = new SystemClock();

describeOn('elasticsearch', ({ elasticsearch }) => {
  describeModelLearnerContract('Elasticsearch', async () => {
    const connection = await openElastic(elasticsearch);
    const log = await ElasticEventLog.open(connection, clock);
    const learner = new ElasticModelLearner(connection);
    return {
      learner,
      log,
      records: await ElasticCatalogRecords.open(connection, new BulkBatcher(connection), clock),
      close: async () => {
        await learner.onApplicationShutdown();
        await dropIndices(connection);
        await connection.close();
      },
    };
  });
});
