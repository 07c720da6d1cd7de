import { elasticLog } from '../support/elastic-log';
import { redisProfiles } from '../support/redis-profiles';
import { describeOn } from '../support/servers';
import { describeProfileStoreContract } from './profile-store.contract';

/** What is asked here is whether it is right, on however busy a machine. */
const PATIENT_MS = 2000;

describeOn('redis', ({ redis }) =>
  describeProfileStoreContract('redis, from an embedded log', () => redisProfiles(redis, PATIENT_MS)),
);

describeOn(['elasticsearch', 'redis'], ({ elasticsearch, redis }) =>
  describeProfileStoreContract('redis', () =>
    redisProfiles(redis, PATIENT_MS, (clock) => elasticLog(elasticsearch, clock)),
  ),
);
