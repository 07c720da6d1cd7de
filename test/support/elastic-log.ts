import { ElasticEventLog } from '../../src/behaviour/events/adapters/elastic/elastic-event-log';
import { seqAt } from '../../src/storage/elastic/sequence';
import type { RedisProfiles } from '../../src/behaviour/profiles/adapters/redis/redis-profiles';
import type { ShopperKey } from '../../src/behaviour/shoppers/shopper';
import type { Clock } from '../../src/shared/clock';
import { dropIndices, openElastic } from './elastic';
import type { LogUnder } from './redis-profiles';

/** A log in Elasticsearch, under a prefix of its own. */
export async function elasticLog(url: string, clock: Clock): Promise<LogUnder> {
  const connection = await openElastic(url);
  return {
    open: async (profiles: RedisProfiles) => {
      const lacking = async (store: string): Promise<ShopperKey[]> => {
        const dirty = await profiles.dirty({ before: Number.MAX_SAFE_INTEGER, limit: 10_000 });
        return dirty.filter((one) => one.store === store).map(({ shopper }) => shopper);
      };
      const log = await ElasticEventLog.open({ connection, clock, lacking });
      return { log, shoppers: log.shoppers.bind(log), seqAt };
    },
    close: async () => {
      await dropIndices(connection);
      await connection.close();
    },
  };
}
