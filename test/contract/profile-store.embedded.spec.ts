import { EmbeddedEventLog } from '../../src/behaviour/events/adapters/embedded/embedded-event-log';
import { EmbeddedProfileStore } from '../../src/behaviour/profiles/adapters/embedded/embedded-profile-store';
import { behaviourDatabase, TestClock } from '../support/behaviour-database';
import { describeProfileStoreContract } from './profile-store.contract';

describeProfileStoreContract('embedded', async () => {
  const data = await behaviourDatabase();
  return {
    profiles: new EmbeddedProfileStore(data.database, new TestClock()),
    log: new EmbeddedEventLog(data.database),
    close: () => data.close(),
  };
});
