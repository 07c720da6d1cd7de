import { randomUUID } from 'node:crypto';
import { RedisRankingSessions } from '../../src/search/sessions/adapters/redis/redis-ranking-sessions';
import { RedisConnection } from '../../src/storage/redis/redis-connection';
import { TestServer } from '../servers/test-server';
import { TestClock } from '../support/behaviour-database';
import { describeOn } from '../support/servers';
import { aRanking, aSearch, describeRankingSessionsContract, recalled } from './ranking-sessions.contract';

const PATIENT_MS = 2000;
const TEN_MINUTES = 600_000;

describeOn('redis', ({ redis: url }) => {
  describeRankingSessionsContract('redis', async () => {
    const clock = new TestClock();
    const redis = await RedisConnection.open({ url, prefix: `test-${randomUUID()}`, limitMs: PATIENT_MS });
    return {
      sessions: new RedisRankingSessions(redis, clock),
      advance: (ms) => clock.advance(ms),
      close: () => redis.close(),
    };
  });

  test('the next page may be asked of another replica; nothing is named in the keys or stays for ever', async () => {
    const clock = new TestClock();
    const setup = { url, prefix: `test-${randomUUID()}`, limitMs: PATIENT_MS };
    const [one, two] = [await RedisConnection.open(setup), await RedisConnection.open(setup)];
    try {
      const other = new RedisRankingSessions(two, clock);
      new RedisRankingSessions(one, clock).remember(aSearch({ deviceId: 'phone' }), aRanking());
      for (let tries = 0; tries < 200 && !(await other.recall(aSearch({ deviceId: 'phone' }))); tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      expect(await recalled(other, aSearch({ deviceId: 'phone' }))).toEqual(aRanking());
      const keys = await one.run((client) => client.keys(one.key('*')));
      // Replicas of other versions look under the same names.
      expect(keys.map((key) => key.split(':').slice(1, 3).join(':')).sort()).toEqual([
        'ranking:part',
        'ranking:part',
        'ranking:search',
        'ranking:shopper',
        'ranking:shopper',
      ]);
      for (const key of keys) {
        expect(key).not.toMatch(/ana|phone/);
        const left = await one.run((client) => client.pttl(key));
        expect(left).toBeGreaterThan(0);
        // Pages go on from what several searches share as long as from the last of them.
        if (key.includes(':part:')) expect(left).toBeGreaterThan(TEN_MINUTES);
        else if (key.includes(':search:')) expect(left).toBeLessThanOrEqual(TEN_MINUTES);
      }
      await other.forget({ storeId: 's1', userId: 'ana', deviceIds: [] });
      // The template is everybody's.
      const left = await one.run((client) => client.keys(one.key('ranking:*')));
      expect(left.sort()).toEqual([
        expect.stringMatching(/:ranking:part:/),
        expect.stringMatching(/:ranking:shopper:/),
      ]);
      await other.forget({ storeId: 's1', userId: 'ana', deviceIds: ['phone'] });
      expect(await one.run((client) => client.keys(one.key('ranking:shopper:*')))).toEqual([]);
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  });

  test('what Redis has lost is sent again with the next search, and what is used stays', async () => {
    const redis = await RedisConnection.open({ url, prefix: `test-${randomUUID()}`, limitMs: PATIENT_MS });
    try {
      const sessions = new RedisRankingSessions(redis, new TestClock());
      const ranking = aRanking();
      const remembered = async (query: string) => {
        const search = aSearch({ query });
        sessions.remember(search, ranking);
        for (let tries = 0; tries < 200 && !(await sessions.recall(search)); tries += 1) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        return recalled(sessions, search);
      };
      const parts = (): Promise<string[]> => redis.run((client) => client.keys(redis.key('ranking:part:*')));
      expect(await remembered('one')).toEqual(ranking);
      const names = await parts();
      for (const name of names) await redis.run((client) => client.pexpire(name, 1000));
      expect(await remembered('two')).toEqual(ranking);
      expect((await parts()).sort()).toEqual(names.sort());
      for (const name of names) {
        expect(await redis.run((client) => client.pttl(name))).toBeGreaterThan(TEN_MINUTES);
      }
      await redis.run((client) => client.del(...names));
      expect(await remembered('three')).toEqual(ranking);
    } finally {
      await redis.close();
    }
  });

  test('where Redis is down nothing is remembered, and nobody waits', async () => {
    const server = await TestServer.start('redis');
    const redis = await RedisConnection.open({ url: server.url, prefix: 'shop' });
    try {
      const sessions = new RedisRankingSessions(redis, new TestClock());
      await server.kill();
      const start = performance.now();
      sessions.remember(aSearch(), aRanking());
      expect(await sessions.recall(aSearch())).toBeUndefined();
      expect(performance.now() - start).toBeLessThan(10_000);
      await expect(sessions.forget({ storeId: 's1', userId: 'ana', deviceIds: [] })).rejects.toMatchObject({
        code: 'unavailable',
      });
    } finally {
      await redis.close();
      await server.stop();
    }
  });
});
