import { randomUUID } from 'node:crypto';
import { EmbeddedEventLog } from '../../src/behaviour/events/adapters/embedded/embedded-event-log';
import type { EventLog } from '../../src/behaviour/events/event-log';
import { completeAndNote } from '../../src/behaviour/events/pending-events';
import { EmbeddedProfileStore } from '../../src/behaviour/profiles/adapters/embedded/embedded-profile-store';
import type { MissedEvents } from '../../src/behaviour/profiles/adapters/redis/missed-events';
import type { ProfiledLog } from '../../src/behaviour/profiles/adapters/redis/profiled-log';
import { RedisProfileStore } from '../../src/behaviour/profiles/adapters/redis/redis-profile-store';
import type { RedisProfiles } from '../../src/behaviour/profiles/adapters/redis/redis-profiles';
import type { ProfileStore } from '../../src/behaviour/profiles/profile-store';
import { deviceKey, userKey } from '../../src/behaviour/shoppers/shopper';
import { RedisConnection } from '../../src/storage/redis/redis-connection';
import { behaviourDatabase, TestClock } from './behaviour-database';

/** One process over a log and a Redis. */
export interface ProfileProcess {
  /** What is written to it is noted for the profiles. */
  log: EventLog;
  /** The log alone: what is written past the profiles. */
  bare: EventLog;
  profiles: ProfileStore;
  missed: MissedEvents;
  /** What the log and the profiles share, past the port. */
  held: RedisProfiles;
  redis: RedisConnection;
}

export interface KeptProfiles extends ProfileProcess {
  clock: TestClock;
  /** Another process over the same data. */
  again(): Promise<ProfileProcess>;
  close(): Promise<void>;
}

/** A log under the profiles, empty at first; opened by each process. */
export interface LogUnder {
  open(): Promise<EventLog & ProfiledLog>;
  close(): Promise<void>;
}

/** In an embedded database of its own. */
async function embeddedLog(clock: TestClock): Promise<LogUnder> {
  const data = await behaviourDatabase();
  const embedded = new EmbeddedProfileStore(data.database, clock);
  return {
    open: async () =>
      Object.assign(new EmbeddedEventLog(data.database), {
        shoppers: embedded.shoppers.bind(embedded),
        // Sequence numbers of the embedded log do not tell the time: what was missed is looked for from its beginning.
        seqAt: () => 0,
      }),
    close: () => data.close(),
  };
}

/** A log whose writes are noted for the profiles, as by those who write to it in the service. */
export function noted(log: EventLog, profiles: ProfileStore): EventLog {
  const changes: Pick<EventLog, 'append' | 'completePending' | 'erase'> = {
    append: (events) =>
      profiles.noting(
        () => log.append(events),
        (results) => ({ appended: events, results }),
      ),
    completePending: (store, productIds, complete) => completeAndNote(log, profiles, { store, productIds }, complete),
    erase: async (request) => {
      const { store, userId, devices, at: erasedAt } = request;
      const shoppers = [userKey(userId), ...devices.map(deviceKey)];
      for (const shopper of shoppers) await profiles.remove({ store, shopper });
      const counts = await log.erase(request);
      for (const shopper of shoppers) await profiles.remove({ store, shopper, erasedAt });
      return counts;
    },
  };
  return Object.assign(Object.create(log) as EventLog, changes);
}

/** However busy the machine is. */
const LOADED_WITHIN_MS = 30_000;

/** Profiles in Redis, made from a log. */
export async function redisProfiles(
  url: string,
  limitMs = 50,
  makeLog: (clock: TestClock) => Promise<LogUnder> = embeddedLog,
): Promise<KeptProfiles> {
  const clock = new TestClock();
  const under = await makeLog(clock);
  const prefix = `test-${randomUUID()}`;
  const opened: RedisConnection[] = [];
  const again = async (): Promise<ProfileProcess> => {
    const redis = await RedisConnection.open({ url, prefix, limitMs });
    opened.push(redis);
    const bare = await under.open();
    const stores = { all: () => [{ id: 's1' }, { id: 's2' }] };
    const profiles = new RedisProfileStore(redis, bare, stores, clock, LOADED_WITHIN_MS);
    return { redis, bare, profiles, log: noted(bare, profiles), missed: profiles.missed, held: profiles.profiles };
  };
  return {
    ...(await again()),
    clock,
    again,
    close: async () => {
      for (const redis of opened) await redis.close();
      await under.close();
    },
  };
}
