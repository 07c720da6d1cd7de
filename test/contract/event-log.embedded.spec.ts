import { EmbeddedEventLog } from '../../src/behaviour/events/adapters/embedded/embedded-event-log';
import { EmbeddedProfileStore } from '../../src/behaviour/profiles/adapters/embedded/embedded-profile-store';
import { behaviourDatabase, TestClock } from '../support/behaviour-database';
import { describeEventLogContract } from './event-log.contract';

describeEventLogContract('embedded', async () => {
  const data = await behaviourDatabase();
  return {
    log: new EmbeddedEventLog(data.database),
    profiles: new EmbeddedProfileStore(data.database, new TestClock()),
    reopen: async () => new EmbeddedEventLog(await data.reopen()),
    close: () => data.close(),
  };
});
