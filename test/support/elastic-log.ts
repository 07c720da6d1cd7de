import { ElasticEventLog } from '../../src/behaviour/events/adapters/elastic/elastic-event-log';
import { type Clock, SystemClock } from '../../src/shared/clock';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { dropIndices, openElastic } from './elastic';
import type { LogUnder } from './redis-profiles';

/** A log in Elasticsearch, under a prefix of its own. */
export async function elasticLog(url: string, clock: Clock): Promise<LogUnder> {
  const connection = await openElastic(url);
  return { open: () => ElasticEventLog.open(connection, clock), close: () => dropAndClose(connection) };
}

/** The same, for who looks at its indices, too. */
export async function openElasticLog(
  url: string,
): Promise<{ connection: ElasticConnection; log: ElasticEventLog; close: () => Promise<void> }> {
  const connection = await openElastic(url);
  const log = await ElasticEventLog.open(connection, new SystemClock());
  return { connection, log, close: () => dropAndClose(connection) };
}

async function dropAndClose(connection: ElasticConnection): Promise<void> {
  await dropIndices(connection);
  await connection.close();
}
