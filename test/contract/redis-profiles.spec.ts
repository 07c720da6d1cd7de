import type { NewEvent } from '../../src/behaviour/events/event-log';
import { aggregateEvents } from '../../src/ranking/vectors/aggregate';
import type { ProfileStore } from '../../src/behaviour/profiles/profile-store';
import { counted } from '../../src/behaviour/profiles/adapters/redis/profiled-log';
import { MOST_RECENT_EVENTS, recentEvent } from '../../src/behaviour/profiles/adapters/redis/recent-event';
import { emptyVector } from '../../src/ranking/vectors/vector';
import { deviceKey, type ShopperKey, userKey } from '../../src/behaviour/shoppers/shopper';
import { anEvent, evidence, features } from '../builders/an-event';
import { Dice } from '../support/dice';
import { elasticLog } from '../support/elastic-log';
import { type KeptProfiles, redisProfiles } from '../support/redis-profiles';
import { describeOn } from '../support/servers';

const DAY = 86_400_000;
const halfLife = { transaction: 180 * DAY, cart: 30 * DAY, view: 14 * DAY };
const ana = userKey('ana');
const phone = deviceKey('phone');

/** What a search sees, as text: equal only if every bit is. */
async function seen(profiles: ProfileStore, shopper: ShopperKey): Promise<string> {
  const [profile] = await profiles.read([{ store: 's1', shopper }]);
  return JSON.stringify(aggregateEvents(profile?.vector ?? emptyVector(halfLife), profile?.recentEvents ?? []));
}

/** The same from the log alone. */
async function inLog(kept: KeptProfiles, shopper: ShopperKey): Promise<string> {
  const events = await kept.bare.read({ store: 's1', shopper, counted: true, limit: 100_000 });
  return JSON.stringify(aggregateEvents(emptyVector(halfLife), events.flatMap(counted)));
}

const view = (pid: string, changes: Parameters<typeof anEvent>[0] = {}): NewEvent =>
  anEvent({ body: { pid }, evidence: evidence(1_000_000, 'product', features(pid)), ...changes });

/** What is asked here is whether it is right, on however busy a machine. */
const PATIENT_MS = 2000;

describeOn('redis', ({ redis: url }) =>
  describe('profiles in Redis and their log', () => {
    let kept: KeptProfiles;

    beforeEach(async () => {
      kept = await redisProfiles(url, PATIENT_MS);
    });
    afterEach(() => kept.close());

    const isAsInLog = async (...shoppers: ShopperKey[]): Promise<void> => {
      for (const shopper of shoppers) expect(await seen(kept.profiles, shopper)).toBe(await inLog(kept, shopper));
    };
    const aggregate = (shopper: ShopperKey, until = 1e15) =>
      kept.profiles.aggregate({ store: 's1', shopper, until, halfLife, fromScratch: false });
    const onPhone = { userId: null, deviceId: 'phone' };
    /** Everything Redis holds of this test, as text. */
    const dump = async (): Promise<string> => {
      const keys = await kept.redis.run((client) => client.keys(kept.redis.key('*')));
      const values = keys.map(async (key) => {
        const type = await kept.redis.run((client) => client.type(key));
        if (type === 'hash') return [key, await kept.redis.run((client) => client.hgetall(key))];
        return [key, await kept.redis.run((client) => client.zrange(key, '0', '-1'))];
      });
      return JSON.stringify(await Promise.all(values));
    };

    test.each([
      ['in the recent events', false],
      ['aggregated', true],
    ])('a device whose events are claimed has none, and the user has them at once: %s', async (_how, aggregated) => {
      await kept.log.append([view('a'), view('b', onPhone)]);
      await isAsInLog(ana, phone);
      if (aggregated) for (const shopper of [ana, phone]) await aggregate(shopper);
      await kept.log.append([view('c', { deviceId: 'phone' })]);
      await isAsInLog(ana, phone);
      expect(await kept.profiles.read([{ store: 's1', shopper: phone }])).toEqual([null]);
    });

    test('device and claim may come in one append', async () => {
      await kept.log.append([view('a', onPhone), view('b', { deviceId: 'phone' }), view('c', onPhone)]);
      await isAsInLog(ana, phone);
    });

    test('an event that reaches Redis after its device was claimed counts for the user alone', async () => {
      const [late] = await kept.bare.append([view('a', onPhone)]);
      await kept.log.append([view('b', { deviceId: 'phone' })]);
      const seq = late?.outcome === 'stored' ? late.seq : 0;
      await kept.held.add({ store: 's1', shopper: phone }, [
        recentEvent(seq, 1, evidence(1, 'product', features('a'))),
      ]);
      await isAsInLog(ana, phone);
    });

    test('an event that reaches Redis after younger ones were aggregated still counts', async () => {
      await seen(kept.profiles, ana);
      const [late] = await kept.bare.append([view('a')]);
      await kept.log.append([view('b')]);
      expect(await aggregate(ana)).toBe(1);
      await kept.held.add({ store: 's1', shopper: ana }, [
        recentEvent(late?.outcome === 'stored' ? late.seq : 0, 1, evidence(1_000_000, 'product', features('a'))),
      ]);
      await isAsInLog(ana);
    });

    test.each([
      ['in the recent events', false],
      ['aggregated', true],
    ])('an event whose product arrived later counts anew, whole: %s', async (_how, aggregated) => {
      await kept.log.append([view('a', { pendingProducts: ['late'] }), view('b')]);
      await isAsInLog(ana);
      if (aggregated) await aggregate(ana);
      await kept.log.completePending('s1', ['late'], async () => ({
        evidence: evidence(1_000_000, 'product', features('a'), features('late')),
        stillPending: [],
      }));
      await isAsInLog(ana);
      await aggregate(ana);
      await isAsInLog(ana);
    });

    test('of an erased user nothing is left in Redis', async () => {
      await kept.log.append([view('secret-thing'), view('other', { userId: 'bia' })]);
      await aggregate(ana);
      await kept.log.append([view('secret-thing-2')]);
      expect(await dump()).toContain('secret-thing');
      await kept.profiles.remove({ store: 's1', shopper: ana });
      await kept.log.erase({ store: 's1', userId: 'ana', devices: [], erasedUser: 'hash', at: kept.clock.now() });
      expect(await dump()).not.toContain('secret-thing');
      expect(await kept.profiles.read([{ store: 's1', shopper: ana }])).toEqual([null]);
    });

    test('every key expires', async () => {
      kept.missed.start();
      await kept.log.append([view('a'), view('b', onPhone), view('c', { deviceId: 'phone' })]);
      await aggregate(ana);
      await kept.log.append([view('d')]);
      await seen(kept.profiles, deviceKey('stranger'));
      await kept.missed.look();
      const keys = await kept.redis.run((client) => client.keys(kept.redis.key('*')));
      expect(keys.length).toBeGreaterThan(5);
      for (const key of keys) expect(await kept.redis.run((client) => client.ttl(key))).toBeGreaterThan(0);
      await kept.missed.stop();
    });

    test('a second look at the same shopper does not read the log', async () => {
      await kept.log.append([view('a')]);
      await seen(kept.profiles, ana);
      await seen(kept.profiles, deviceKey('stranger'));
      const read = jest.spyOn(kept.bare, 'read');
      expect(await seen(kept.profiles, ana)).not.toBe(JSON.stringify(emptyVector(halfLife)));
      expect(await kept.profiles.read([{ store: 's1', shopper: deviceKey('stranger') }])).toEqual([null]);
      expect(read).not.toHaveBeenCalled();
    });

    test('another process sees an event, and a vector that was aggregated here', async () => {
      const other = await kept.again();
      await kept.log.append([view('a')]);
      expect(await seen(other.profiles, ana)).toBe(await inLog(kept, ana));
      await aggregate(ana);
      expect(await seen(other.profiles, ana)).toBe(await inLog(kept, ana));
      await other.log.append([view('b')]);
      await isAsInLog(ana);
    });

    test('a shopper with more events than are kept singly is aggregated first, and then read', async () => {
      const many = MOST_RECENT_EVENTS + 500;
      await kept.log.append(Array.from({ length: many }, (_, index) => view(`p${index % 50}`)));
      const request = { store: 's1', shopper: ana };
      await expect(kept.profiles.read([request])).rejects.toMatchObject({ code: 'unavailable' });
      expect(await kept.profiles.dirty({ before: 1e15, limit: 10 })).toEqual([request]);
      expect(await aggregate(ana)).toBe(many);
      await isAsInLog(ana);
      expect(await kept.profiles.dirty({ before: 1e15, limit: 10 })).toEqual([]);
    });

    test('aggregations of two processes at once, between appends, lose and double nothing', async () => {
      const other = await kept.again();
      for (let round = 0; round < 10; round += 1) {
        await Promise.all([
          kept.log.append([view(`a${round}`), view(`b${round}`)]),
          other.log.append([view(`c${round}`)]),
          aggregate(ana),
          other.profiles.aggregate({ store: 's1', shopper: ana, until: 1e15, halfLife, fromScratch: round % 3 === 0 }),
        ]);
      }
      await isAsInLog(ana);
    });
  }),
);

/** Two processes do this and that, in an order that the seed decides; Redis must say what the log says, every time anybody looks. */
async function doThisAndThat(kept: KeptProfiles, seed: number, steps: number): Promise<void> {
  const isAsInLog = async (...all: ShopperKey[]): Promise<void> => {
    for (const shopper of all) expect(await seen(kept.profiles, shopper)).toBe(await inLog(kept, shopper));
  };
  const dice = new Dice(seed);
  const processes = [kept, await kept.again()];
  const users = ['ana', 'bia'];
  const devices = ['phone', 'tablet'];
  const shoppers = [...users.map(userKey), ...devices.map(deviceKey)];
  let pid = 0;
  for (let step = 0; step < steps; step += 1) {
    const process = dice.of(processes);
    const shopper = dice.of(shoppers);
    const deviceId = dice.of(devices);
    pid += 1;
    const doing: Record<string, () => Promise<unknown>> = {
      view: () => process.log.append([view(`p${pid}`, { userId: dice.of(users) })]),
      device: () => process.log.append([view(`p${pid}`, { userId: null, deviceId })]),
      login: () => process.log.append([view(`p${pid}`, { userId: dice.of(users), deviceId })]),
      waiting: () => process.log.append([view(`p${pid}`, { pendingProducts: ['late'] })]),
      arrived: () =>
        process.log.completePending('s1', ['late'], async () => ({
          evidence: evidence(1_000_000, 'product', features(`q${pid}`)),
          stillPending: [],
        })),
      read: () => seen(process.profiles, shopper),
      aggregate: () =>
        process.profiles.aggregate({ store: 's1', shopper, until: 1e15, halfLife, fromScratch: dice.below(10) < 3 }),
      forget: () => process.profiles.remove({ store: 's1', shopper }),
      lose: async () => {
        const keys = await kept.redis.run((client) => client.keys(kept.redis.key('*')));
        if (keys.length > 0) await kept.redis.run((client) => client.del(...keys));
      },
    };
    const weights = [
      'view',
      'view',
      'device',
      'device',
      'login',
      'waiting',
      'arrived',
      'read',
      'read',
      'aggregate',
      'aggregate',
    ];
    const name = dice.below(25) === 0 ? dice.of(['forget', 'lose']) : dice.of(weights);
    await doing[name]?.();
    if (dice.below(10) < 3) await isAsInLog(...shoppers);
  }
  await isAsInLog(...shoppers);
}

describeOn('redis', ({ redis }) =>
  test.each([1, 2, 3, 4])('whatever happens in whatever order, Redis says what the log says (%i)', async (seed) => {
    const kept = await redisProfiles(redis, PATIENT_MS);
    try {
      await doThisAndThat(kept, seed, 150);
    } finally {
      await kept.close();
    }
  }),
);

describeOn(['elasticsearch', 'redis'], ({ elasticsearch, redis }) =>
  test('whatever happens in whatever order, Redis says what the log says', async () => {
    const kept = await redisProfiles(redis, PATIENT_MS, (clock) => elasticLog(elasticsearch, clock));
    try {
      await doThisAndThat(kept, 5, 100);
    } finally {
      await kept.close();
    }
  }),
);
