import { setTimeout as wait } from 'node:timers/promises';
import { aggregateEvents } from '../../src/ranking/vectors/aggregate';
import { counted } from '../../src/behaviour/profiles/adapters/redis/profiled-log';
import { emptyVector } from '../../src/ranking/vectors/vector';
import { deviceKey, type ShopperKey, userKey } from '../../src/behaviour/shoppers/shopper';
import { anEvent, evidence, features } from '../builders/an-event';
import { TestServer } from '../servers/test-server';
import { type KeptProfiles, type ProfileProcess, redisProfiles } from '../support/redis-profiles';
import { describeOn } from '../support/servers';

const DAY = 86_400_000;
const halfLife = { transaction: 180 * DAY, cart: 30 * DAY, view: 14 * DAY };
const ana = userKey('ana');
const phone = deviceKey('phone');

/** Of a command; generous, for a busy machine. */
const LIMIT_MS = 1000;

jest.setTimeout(30_000);

describeOn('redis', () =>
  describe('profiles when Redis fails', () => {
    let server: TestServer;
    let kept: KeptProfiles;

    beforeEach(async () => {
      server = await TestServer.start('redis');
      kept = await redisProfiles(server.url, LIMIT_MS);
    });
    afterEach(async () => {
      await kept.close();
      await server.stop();
    });

    const view = (pid: string, changes: Parameters<typeof anEvent>[0] = {}) =>
      anEvent({ body: { pid }, evidence: evidence(1_000_000, 'product', features(pid)), ...changes });
    const seen = async (shopper: ShopperKey, { profiles }: ProfileProcess = kept): Promise<string> => {
      const [profile] = await profiles.read([{ store: 's1', shopper }]);
      return JSON.stringify(aggregateEvents(profile?.vector ?? emptyVector(halfLife), profile?.recentEvents ?? []));
    };
    const inLog = async (shopper: ShopperKey): Promise<string> => {
      const events = await kept.bare.read({ store: 's1', shopper, counted: true, limit: 100_000 });
      return JSON.stringify(aggregateEvents(emptyVector(halfLife), events.flatMap(counted)));
    };
    const aggregate = (shopper: ShopperKey, fromScratch = false) =>
      kept.profiles.aggregate({ store: 's1', shopper, until: 1e15, halfLife, fromScratch });
    const back = async ({ redis }: ProfileProcess = kept): Promise<void> => {
      for (let waited = 0; !redis.up; waited += 10) {
        if (waited > 10_000) throw new Error('It did not come back');
        await wait(10);
      }
    };

    test('killed: events are taken at once, reading fails at once; back, all of them count', async () => {
      await kept.log.append([view('a'), view('b', { userId: null, deviceId: 'phone' })]);
      await aggregate(ana);
      await server.kill();
      const start = performance.now();
      expect(await kept.log.append([view('c')])).toMatchObject([{ outcome: 'stored' }]);
      const login = await kept.log.append([view('d', { deviceId: 'phone' })]);
      expect(login).toMatchObject([{ outcome: 'stored', claimed: 1 }]);
      await expect(seen(ana)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(aggregate(ana)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(
        kept.log.erase({ store: 's1', userId: 'bia', devices: [], erasedUser: 'hash', at: kept.clock.now() }),
      ).rejects.toMatchObject({ code: 'unavailable' });
      expect(performance.now() - start).toBeLessThan(10_000);
      await server.startAgain();
      await back();
      await kept.missed.look();
      for (const shopper of [ana, phone]) expect(await seen(shopper)).toBe(await inLog(shopper));
      expect(await kept.profiles.dirty({ before: 1e15, limit: 10 })).toEqual([{ store: 's1', shopper: ana }]);
    });

    test('paused: an event waits for one command at most; resumed, all of them count', async () => {
      await kept.log.append([view('a')]);
      expect(await seen(ana)).toBe(await inLog(ana));
      server.pause();
      const start = performance.now();
      for (let index = 0; index < 100; index += 1) await kept.log.append([view(`p${index}`)]);
      expect(performance.now() - start).toBeLessThan(10_000);
      await expect(seen(ana)).rejects.toMatchObject({ code: 'unavailable' });
      server.resume();
      await back();
      await kept.missed.look();
      expect(await seen(ana)).toBe(await inLog(ana));
    });

    test('a store that is erased before one of its shoppers is aggregated: nothing is left under the shopper’s name', async () => {
      await kept.log.append([view('a')]);
      expect(await kept.profiles.dirty({ before: 1e15, limit: 10 })).toEqual([{ store: 's1', shopper: ana }]);
      await kept.bare.removeStore('s1');
      await kept.profiles.removeStore('s1');
      // By a process that was told of the shopper before.
      expect(await aggregate(ana)).toBe(0);
      expect(await kept.redis.run((client) => client.keys('*ana*'))).toEqual([]);
      // And where the shopper was noted late.
      await kept.profiles.noting(
        async () => undefined,
        () => ({ appended: [view('b')], results: [{ outcome: 'stored', seq: 7, claimed: 0 }] }),
      );
      await kept.profiles.removeStore('s1');
      expect(await aggregate(ana)).toBe(0);
      expect(await kept.redis.run((client) => client.keys('*ana*'))).toEqual([]);
      expect(await kept.profiles.dirty({ before: 1e15, limit: 10 })).toEqual([]);
    });

    describe('full', () => {
      const full = (bytes: number, { redis }: ProfileProcess = kept) =>
        redis.run((client) => client.config('SET', 'maxmemory', String(bytes)));
      const knows = async (refused: boolean): Promise<void> => {
        while ((kept.redis.writes.refusal !== null) !== refused) await wait(10);
      };

      test('who is in it stays as they are in the log, who is not is read from there; emptied, all is as if it never was', async () => {
        await kept.log.append([view('a')]);
        await aggregate(ana);
        await full(1);
        await knows(true);
        expect(kept.redis.up).toBe(true);
        expect(await kept.log.append([view('b'), view('c', { userId: 'bia' })])).toMatchObject([
          { outcome: 'stored' },
          { outcome: 'stored' },
        ]);
        const bia = userKey('bia');
        for (const shopper of [ana, bia]) expect(await seen(shopper)).toBe(await inLog(shopper));
        await kept.missed.look();
        const size = await kept.redis.run((client) => client.dbsize());
        await kept.log.append([view('d', { userId: 'bia' })]);
        expect(await kept.redis.run((client) => client.dbsize())).toBe(size);
        await full(0);
        await knows(false);
        await kept.missed.look();
        for (const shopper of [ana, bia]) expect(await seen(shopper)).toBe(await inLog(shopper));
        expect((await kept.profiles.dirty({ before: 1e15, limit: 10 })).length).toBeGreaterThan(0);
      });

      test('a process that began while it was full and died then: another finds what it left out', async () => {
        await kept.log.append([view('a')]);
        expect(await seen(ana)).toBe(await inLog(ana));
        await full(1);
        const other = await kept.again();
        expect(other.redis.writes.refusal).toMatch(/maxmemory/);
        await other.missed.look();
        await other.log.append([view('b')]);
        await other.missed.look();
        await full(0);
        await knows(false);
        kept.clock.advance(61_000);
        await kept.missed.look();
        expect(await seen(ana)).toBe(await inLog(ana));
      });

      test('a user is forgotten in it all the same', async () => {
        await kept.log.append([view('a')]);
        await aggregate(ana);
        await full(1);
        await kept.log.erase({ store: 's1', userId: 'ana', devices: [], erasedUser: 'hash', at: kept.clock.now() });
        expect(await seen(ana)).toBe(JSON.stringify(emptyVector(halfLife)));
      });
    });

    test('empty: every vector comes back from the log, bit for bit', async () => {
      const days = Array.from({ length: 60 }, (_, index) => view(`p${index % 7}`, { at: 1e12 + index * DAY }));
      await kept.log.append(days);
      await aggregate(ana);
      await kept.log.append([view('x')]);
      const before = await seen(ana);
      await kept.redis.run((client) => client.flushall());
      expect(await seen(ana)).toBe(before);
      await kept.redis.run((client) => client.flushall());
      expect(await aggregate(ana, true)).toBe(61);
      expect(await seen(ana)).toBe(before);
    });

    test('back with an older state: what it forgot is found in the log', async () => {
      await kept.missed.look();
      await kept.log.append([view('a')]);
      await seen(ana);
      // From here on nothing reaches its disk.
      await kept.redis.run((client) => client.config('SET', 'appendonly', 'no'));
      await kept.log.append([view('b')]);
      await server.kill();
      await server.startAgain();
      await back();
      expect(await seen(ana)).not.toBe(await inLog(ana));
      await kept.missed.look();
      expect(await seen(ana)).toBe(await inLog(ana));
    });

    test('a process that died between the log and Redis: another finds what it left out', async () => {
      const other = await kept.again();
      await kept.log.append([view('a')]);
      await seen(ana);
      await kept.missed.look();
      await kept.bare.append([view('b')]);
      await other.missed.look();
      expect(await seen(ana, other)).not.toBe(await inLog(ana));
      kept.clock.advance(61_000);
      await other.missed.look();
      expect(await seen(ana, other)).toBe(await inLog(ana));
    });

    test('a process that stopped well leaves nothing to look for', async () => {
      const other = await kept.again();
      await kept.log.append([view('a')]);
      await kept.missed.stop();
      await other.missed.look();
      kept.clock.advance(3_600_000);
      const read = jest.spyOn(kept.bare, 'read');
      await other.missed.look();
      expect(read).not.toHaveBeenCalled();
      expect(await kept.redis.run((client) => client.zcard(kept.redis.key('gaps')))).toBe(0);
    });

    test('a write to the log that failed is looked for: it may be there', async () => {
      await kept.log.append([view('a')]);
      await seen(ana);
      const append = kept.bare.append.bind(kept.bare);
      const failing = jest.spyOn(kept.bare, 'append').mockImplementation(async (events) => {
        await append(events);
        throw new Error('The answer was lost');
      });
      await expect(kept.log.append([view('b')])).rejects.toThrow('The answer was lost');
      failing.mockRestore();
      await kept.missed.look();
      expect(await seen(ana)).toBe(await inLog(ana));
    });
  }),
);
