import { elasticLog } from '../support/elastic-log';
import { redisProfiles } from '../support/redis-profiles';
import { describeOn } from '../support/servers';
import { describeEventLogContract } from './event-log.contract';

/** What is asked here is whether it is right, on however busy a machine. */
const PATIENT_MS = 2000;

describeOn(['elasticsearch', 'redis'], ({ elasticsearch, redis }) =>
  describeEventLogContract('elasticsearch', async () => {
    const kept = await redisProfiles(redis, PATIENT_MS, (clock) => elasticLog(elasticsearch, clock));
    return { ...kept, reopen: async () => (await kept.again()).log };
  }),
);
