import { randomUUID } from 'node:crypto';
import { EmbeddedEventLog } from '../../src/behaviour/events/adapters/embedded/embedded-event-log';
import type { EventLog } from '../../src/behaviour/events/event-log';
import { EmbeddedProfileStore } from '../../src/behaviour/profiles/adapters/embedded/embedded-profile-store';
import { MissedEvents, type MissedParts } from '../../src/behaviour/profiles/adapters/redis/missed-events';
import { ProfiledEventLog } from '../../src/behaviour/profiles/adapters/redis/profiled-event-log';
import {
  type RedisProfileParts,
  RedisProfileStore,
} from '../../src/behaviour/profiles/adapters/redis/redis-profile-store';
import { RedisProfiles } from '../../src/behaviour/profiles/adapters/redis/redis-profiles';
import type { ProfileStore } from '../../src/behaviour/profiles/profile-store';
import { RedisConnection } from '../../src/storage/redis/redis-connection';
import { behaviourDatabase, TestClock } from './behaviour-database';

/** One process over a log and a Redis. */
export interface ProfileProcess {
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
  open(profiles: RedisProfiles): Promise<Pick<MissedParts, 'log' | 'seqAt'> & Pick<RedisProfileParts, 'shoppers'>>;
  close(): Promise<void>;
}

/** In an embedded database of its own. */
async function embeddedLog(clock: TestClock): Promise<LogUnder> {
  const data = await behaviourDatabase();
  const embedded = new EmbeddedProfileStore(data.database, clock);
  return {
    open: async () => ({
      log: new EmbeddedEventLog(data.database),
      shoppers: embedded.shoppers.bind(embedded),
      // Sequence numbers of the embedded log do not tell the time: what was missed is looked for from its beginning.
      seqAt: () => 0,
    }),
    close: () => data.close(),
  };
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
    const profiles = new RedisProfiles(redis);
    const { log, shoppers, seqAt } = await under.open(profiles);
    const missed = new MissedEvents({ redis, profiles, log, clock, stores: () => ['s1', 's2'], seqAt });
    return {
      redis,
      bare: log,
      missed,
      held: profiles,
      log: new ProfiledEventLog({ log, profiles, missed }),
      profiles: new RedisProfileStore({ profiles, log, shoppers, clock, readWithinMs: LOADED_WITHIN_MS }),
    };
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
