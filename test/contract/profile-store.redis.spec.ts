import { redisProfiles } from '../support/redis-profiles';
import { describeOn } from '../support/servers';
import { describeProfileStoreContract } from './profile-store.contract';

/** What is asked here is whether it is right, on however busy a machine. */
const PATIENT_MS = 2000;

describeOn('redis', ({ redis: url }) => describeProfileStoreContract('redis', () => redisProfiles(url, PATIENT_MS)));
