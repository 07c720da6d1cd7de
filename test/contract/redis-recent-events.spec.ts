import type { NewEvent } from '../../src/behaviour/events/event-log';
import { counted, type ProfiledLog } from '../../src/behaviour/profiles/adapters/redis/profiled-log';
import { type ShopperKey, userKey } from '../../src/behaviour/shoppers/shopper';
import { aggregateEvents } from '../../src/ranking/vectors/aggregate';
import { emptyVector } from '../../src/ranking/vectors/vector';
import { anEvent, evidence, features } from '../builders/an-event';
import { type KeptProfiles, redisProfiles } from '../support/redis-profiles';
import { describeOn } from '../support/servers';

const DAY = 86_400_000;
const halfLife = { transaction: 180 * DAY, cart: 30 * DAY, view: 14 * DAY };
const ana = userKey('ana');
/** What is asked here is whether it is right, on however busy a machine. */
const PATIENT_MS = 2000;

describeOn('redis', ({ redis: url }) =>
  describe('recent events in Redis', () => {
    let kept: KeptProfiles;

    beforeEach(async () => {
      kept = await redisProfiles(url, PATIENT_MS);
    });
    afterEach(() => kept.close());

    const view = (pid: string, changes: Partial<NewEvent> = {}): NewEvent =>
      anEvent({ body: { pid }, evidence: evidence(1_000_000, 'product', features(pid)), ...changes });
    const seen = async (shopper: ShopperKey = ana): Promise<string> => {
      const [profile] = await kept.profiles.read([{ store: 's1', shopper }]);
      return JSON.stringify(aggregateEvents(profile?.vector ?? emptyVector(halfLife), profile?.recentEvents ?? []));
    };
    const inLog = async (shopper: ShopperKey = ana): Promise<string> => {
      const events = await kept.bare.read({ store: 's1', shopper, counted: true, limit: 100_000 });
      return JSON.stringify(aggregateEvents(emptyVector(halfLife), events.flatMap(counted)));
    };
    const recentKey = (): string => kept.redis.key('overlay', 's1', ana);

    test('are read as the version before kept them, which may still write beside this one', async () => {
      await kept.log.append([view('a')]);
      expect(await seen()).toBe(await inLog());
      const [older] = await kept.bare.append([view('b')]);
      const seq = older?.outcome === 'stored' ? older.seq : 0;
      const text = `1000000 ${JSON.stringify({ seq, ...view('b').evidence })}`;
      await kept.redis.run((client) => client.zadd(recentKey(), seq, text));
      expect(await seen()).toBe(await inLog());
    });

    test('hold the names of features, not the features', async () => {
      await kept.log.append(Array.from({ length: 20 }, () => view('a')));
      expect(await seen()).toBe(await inLog());
      const texts = await kept.redis.run((client) => client.zrange(recentKey(), '0', '-1'));
      expect(texts).toHaveLength(20);
      expect(texts.join('').length).toBeLessThan(20 * 120);
    });

    test('are decoded once for each state they are in', async () => {
      await kept.log.append([view('a'), view('b', { userId: 'bia' })]);
      // Read from the log, then from Redis.
      for (const shopper of [ana, ana, userKey('bia'), userKey('bia')]) await seen(shopper);
      const decode = jest.spyOn((kept.bare as unknown as ProfiledLog).snapshots, 'evidence');
      for (let times = 0; times < 5; times += 1) for (const shopper of [ana, userKey('bia')]) await seen(shopper);
      expect(decode).not.toHaveBeenCalled();
      await kept.log.append([view('c')]);
      for (let times = 0; times < 5; times += 1) expect(await seen()).toBe(await inLog());
      // The log itself is read for the comparison.
      expect(decode.mock.calls.filter(([rows]) => rows.length === 2)).toHaveLength(1 + 5);
    });

    test('a shopper with more of them than a megabyte is aggregated first, and then read', async () => {
      const names = Array.from({ length: 64 }, (_, index) => `category:${String(index).padStart(118, 'x')}`);
      const seenCategory = (index: number): NewEvent => {
        const at = 1_000_000 + index;
        return anEvent({ at, body: {}, evidence: { at, kind: 'category', items: [], features: names } });
      };
      expect(await seen()).toBe(await inLog());
      for (let from = 0; from < 160; from += 20) {
        await kept.log.append(Array.from({ length: 20 }, (_, index) => seenCategory(from + index)));
      }
      const request = { store: 's1', shopper: ana };
      await expect(kept.profiles.read([request])).rejects.toMatchObject({ code: 'unavailable' });
      expect(await kept.profiles.aggregate({ ...request, until: 1e15, halfLife, fromScratch: false })).toBe(160);
      expect(await seen()).toBe(await inLog());
    });
  }),
);
