import { documentOf, locationOf } from '../../src/behaviour/events/adapters/elastic/event-document';
import { ElasticEventLog } from '../../src/behaviour/events/adapters/elastic/elastic-event-log';
import { EventIndex } from '../../src/behaviour/events/adapters/elastic/event-index';
import { deviceKey, userKey } from '../../src/behaviour/shoppers/shopper';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { anEvent } from '../builders/an-event';
import { dropIndices, openElastic } from '../support/elastic';
import { type KeptProfiles, redisProfiles } from '../support/redis-profiles';
import { describeOn } from '../support/servers';

/** What is asked here is whether it is right, on however busy a machine. */
const PATIENT_MS = 2000;

describeOn(['elasticsearch', 'redis'], ({ elasticsearch, redis }) => {
  describe('what the markers of events say of a device', () => {
    let connection: ElasticConnection;
    let kept: KeptProfiles;

    beforeEach(async () => {
      connection = await openElastic(elasticsearch);
      kept = await redisProfiles(redis, PATIENT_MS, async (clock) => ({
        open: () => ElasticEventLog.open(connection, clock),
        close: async () => {
          await dropIndices(connection);
          await connection.close();
        },
      }));
    });
    afterEach(() => kept.close());

    const profileOf = async (deviceId: string) => {
      const [profile] = await kept.profiles.read([{ store: 's1', shopper: deviceKey(deviceId) }]);
      return profile;
    };

    it('the first search of a new visitor neither refreshes nor searches the log', async () => {
      await kept.log.append([anEvent({ userId: null, deviceId: 'known' })]);
      const refreshes = jest.spyOn(connection, 'refresh');
      const searches = jest.spyOn(connection, 'search');
      expect(await profileOf('new')).toBeNull();
      expect([refreshes.mock.calls.length, searches.mock.calls.length]).toEqual([0, 0]);
      expect((await profileOf('known'))?.recentEvents).toHaveLength(1);
      expect([refreshes.mock.calls.length, searches.mock.calls.length]).toEqual([1, 1]);
    });

    it('what a user has claimed is no longer found under the device', async () => {
      await kept.log.append([anEvent({ userId: null, deviceId: 'phone' })]);
      await kept.log.append([anEvent({ userId: 'ana', deviceId: 'phone' })]);
      const of = (shopper: ReturnType<typeof userKey>) => kept.log.read({ store: 's1', shopper, limit: 10 });
      expect([await of(deviceKey('phone')), await of(userKey('ana'))].map(({ length }) => length)).toEqual([0, 2]);
    });

    it('an event whose writer died before it set the marker is found once the gap was scanned', async () => {
      const event = anEvent({ userId: null, deviceId: 'phone', receivedAt: kept.clock.now() });
      const seq = kept.clock.now() * 4096;
      const events = new EventIndex(connection);
      const failed = kept.profiles.noting(
        async () => {
          await events.write([events.create(locationOf(event, seq), documentOf(event, seq))]);
          throw new Error('died');
        },
        () => ({ completed: [] }),
      );
      await expect(failed).rejects.toThrow('died');
      expect(await profileOf('phone')).toBeNull();
      await kept.missed.look();
      expect((await profileOf('phone'))?.recentEvents).toHaveLength(1);
    });
  });
});
