import { EmbeddedLearnedStats } from '../../src/behaviour/learning/adapters/embedded/embedded-learned-stats';
import { behaviourDatabase } from '../support/behaviour-database';
import { describeLearnedStatsContract } from './learned-stats.contract';

describeLearnedStatsContract('embedded', async () => {
  const data = await behaviourDatabase();
  return { stats: new EmbeddedLearnedStats(data.database), close: () => data.close() };
});
