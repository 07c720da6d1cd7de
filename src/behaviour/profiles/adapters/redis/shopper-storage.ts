import type { Clock } from '../../../../shared/clock';
import type { RedisConnection } from '../../../../storage/redis/redis-connection';
import type { EventLog } from '../../../events/event-log';
import type { ShopperKey } from '../../../shoppers/shopper';
import type { ProfileStore } from '../../profile-store';
import { MissedEvents } from './missed-events';
import { ProfiledEventLog } from './profiled-event-log';
import { RedisProfileStore, type ShopperPages } from './redis-profile-store';
import { RedisProfiles } from './redis-profiles';

/** The log that profiles are made from. */
export interface LogBelow {
  log: EventLog;
  shoppers: ShopperPages;
  /** A sequence number no event that is written from then on has (epoch ms). */
  seqAt: (time: number) => number;
}

export interface ShopperStorageSetup<L extends LogBelow> {
  redis: RedisConnection;
  clock: Clock;
  /** Milliseconds that a search waits for a profile which has to be read from the log. */
  readWithinMs: number;
  /** Internal ids of all stores. */
  stores: () => string[];
  /** `lacking`: shoppers of a store with events that their vectors lack, which must not expire. */
  openLog: (lacking: (store: string) => Promise<ShopperKey[]>) => Promise<L>;
}

/** Names of shoppers that are not expired, at most. */
const MOST_LACKING = 10_000;

/** The event log and the profiles made from it, kept in step in this process; between `start` and `stop` what was missed is made up for. */
export interface ShopperStorage<L extends LogBelow> {
  below: L;
  log: EventLog;
  profiles: ProfileStore;
  missed: MissedEvents;
}

export async function openShopperStorage<L extends LogBelow>(
  setup: ShopperStorageSetup<L>,
): Promise<ShopperStorage<L>> {
  const { redis, clock, stores, readWithinMs } = setup;
  const profiles = new RedisProfiles(redis);
  const below = await setup.openLog(async (store) => {
    const dirty = await profiles.dirty({ before: Number.MAX_SAFE_INTEGER, limit: MOST_LACKING });
    return dirty.filter((request) => request.store === store).map(({ shopper }) => shopper);
  });
  const { log, shoppers, seqAt } = below;
  const missed = new MissedEvents({ redis, profiles, log, clock, stores, seqAt });
  return {
    below,
    log: new ProfiledEventLog({ log, profiles, missed }),
    profiles: new RedisProfileStore({ profiles, log, shoppers, clock, readWithinMs }),
    missed,
  };
}
