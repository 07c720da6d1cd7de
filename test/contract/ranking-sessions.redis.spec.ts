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
        // What several searches share is sent again after ten minutes, and used by pages of the ten after that.
        if (key.includes(':part:')) expect(left).toBeGreaterThan(2 * TEN_MINUTES);
        else if (key.includes(':search:')) expect(left).toBeLessThanOrEqual(TEN_MINUTES);
      }
      await other.forget({ storeId: 's1', userId: 'ana', deviceIds: [] });
      expect(await one.run((client) => client.keys(one.key('ranking:search:*')))).toEqual([]);
    } finally {
      await Promise.all([one.close(), two.close()]);
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
