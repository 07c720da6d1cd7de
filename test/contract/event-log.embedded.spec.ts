import { EmbeddedEventLog } from '../../src/behaviour/events/adapters/embedded/embedded-event-log';
import { EmbeddedProfileStore } from '../../src/behaviour/profiles/adapters/embedded/embedded-profile-store';
import { behaviourDatabase, TestClock } from '../support/behaviour-database';
import { describeEventErasureContract } from './event-erasure.contract';
import { describeEventLogContract, type EventLogSubject } from './event-log.contract';
import { describeEventProofContract } from './event-proof.contract';

const makeSubject = async (): Promise<EventLogSubject> => {
  const data = await behaviourDatabase();
  return {
    log: new EmbeddedEventLog(data.database),
    profiles: new EmbeddedProfileStore(data.database, new TestClock()),
    reopen: async () => new EmbeddedEventLog(await data.reopen()),
    close: () => data.close(),
  };
};

describeEventLogContract('embedded', makeSubject);
describeEventErasureContract('embedded', makeSubject);
describeEventProofContract('embedded', makeSubject);
