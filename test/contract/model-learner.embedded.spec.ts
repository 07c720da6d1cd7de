import { EmbeddedEventLog } from '../../src/behaviour/events/adapters/embedded/embedded-event-log';
import { EmbeddedModelLearner } from '../../src/behaviour/learning/adapters/embedded/embedded-model-learner';
import { EmbeddedCatalogRecords } from '../../src/catalog/records/adapters/embedded/embedded-catalog-records';
import { behaviourDatabase } from '../support/behaviour-database';
import { describeModelLearnerContract } from './model-learner.contract';

describeModelLearnerContract('embedded', async () => {
  const data = await behaviourDatabase();
  const learner = new EmbeddedModelLearner(data.database);
  return {
    learner,
    log: new EmbeddedEventLog(data.database),
    records: new EmbeddedCatalogRecords(data.database),
    close: async () => {
      await learner.onApplicationShutdown();
      await data.close();
    },
  };
});
