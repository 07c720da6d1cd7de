import { ElasticEventLog } from '../../src/behaviour/events/adapters/elastic/elastic-event-log';
import type { Clock } from '../../src/shared/clock';
import { dropIndices, openElastic } from './elastic';
import type { LogUnder } from './redis-profiles';

/** A log in Elasticsearch, under a prefix of its own. */
export async function elasticLog(url: string, clock: Clock): Promise<LogUnder> {
  const connection = await openElastic(url);
  return {
    open: () => ElasticEventLog.open(connection, clock),
    close: async () => {
      await dropIndices(connection);
      await connection.close();
    },
  };
}
