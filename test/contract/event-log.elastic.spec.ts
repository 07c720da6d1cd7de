import { elasticLog } from '../support/elastic-log';
import { redisProfiles } from '../support/redis-profiles';
import { describeOn } from '../support/servers';
import { describeEventErasureContract } from './event-erasure.contract';
import { describeEventLogContract, type EventLogSubject } from './event-log.contract';
import { describeEventProofContract } from './event-proof.contract';

/** What is asked here is whether it is right, on however busy a machine. */
const PATIENT_MS = 2000;

describeOn(['elasticsearch', 'redis'], ({ elasticsearch, redis }) => {
  const makeSubject = async (): Promise<EventLogSubject> => {
    const kept = await redisProfiles(redis, PATIENT_MS, (clock) => elasticLog(elasticsearch, clock));
    return { ...kept, reopen: async () => (await kept.again()).log };
  };
  describeEventLogContract('elasticsearch', makeSubject);
  describeEventErasureContract('elasticsearch', makeSubject);
  describeEventProofContract('elasticsearch', makeSubject);
});
