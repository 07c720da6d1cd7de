import { randomUUID } from 'node:crypto';
import { InProcessDeduplicator } from '../../src/behaviour/events/adapters/embedded/in-process-deduplicator';
import { RedisDeduplicator } from '../../src/behaviour/events/adapters/redis/redis-deduplicator';
import { RedisConnection } from '../../src/storage/redis/redis-connection';
import { InProcessRateLimiter } from '../../src/stores/access/adapters/embedded/in-process-rate-limiter';
import { RedisRateLimiter } from '../../src/stores/access/adapters/redis/redis-rate-limiter';
import { TestServer } from '../servers/test-server';
import { describeOn } from '../support/servers';
import { describeRateLimiterContract } from './rate-limiter.contract';
import { describeDeduplicatorContract, failing } from './deduplicator.contract';

const NOW = Date.UTC(2026, 0, 15, 12);

interface Replica {
  redis: RedisConnection;
  rates: RedisRateLimiter;
  repeats: RedisDeduplicator;
}

async function replica(url: string, prefix: string, limitMs = 2000): Promise<Replica> {
  const redis = await RedisConnection.open({ url, prefix, limitMs });
  return {
    redis,
    rates: new RedisRateLimiter(redis, new InProcessRateLimiter()),
    repeats: new RedisDeduplicator(redis, new InProcessDeduplicator()),
  };
}

describeOn('redis', ({ redis: url }) => {
  describeRateLimiterContract('redis', async () => {
    const { rates, redis } = await replica(url, `test-${randomUUID()}`);
    return { windows: rates, close: () => redis.close() };
  });

  describeDeduplicatorContract('redis', async () => {
    const { repeats, redis } = await replica(url, `test-${randomUUID()}`);
    return { deduplicator: repeats, close: () => redis.close() };
  });

  describe('limits of two replicas', () => {
    let one: Replica;
    let two: Replica;
    let worked: number;
    const work = async (): Promise<void> => void (worked += 1);

    beforeEach(async () => {
      const prefix = `test-${randomUUID()}`;
      [one, two] = [await replica(url, prefix), await replica(url, prefix)];
      worked = 0;
    });
    afterEach(async () => {
      await one.redis.close();
      await two.redis.close();
    });

    test('a limit holds over both', async () => {
      const calls = Array.from({ length: 30 }, (_, call) => (call % 2 === 0 ? one : two).rates.take('a', 10, NOW));
      expect((await Promise.all(calls)).filter(({ passed, shared }) => passed && shared)).toHaveLength(10);
    });

    test('a limit ends within its minute by the clock of Redis, whichever clock has stepped back an hour', async () => {
      const hour = 3_600_000;
      await one.rates.take('a', 1, NOW);
      expect((await two.rates.take('a', 1, NOW - hour)).passed).toBe(false);
      const [key = ''] = await one.redis.run((client) => client.keys(one.redis.key('window', '*')));
      const left = await one.redis.run((client) => client.pttl(key));
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(60_000);
      // As such a key looks to a Redis whose clock has stepped back.
      await one.redis.run((client) => client.pexpire(key, hour + left));
      expect((await one.rates.take('a', 1, NOW)).passed).toBe(true);
      expect((await one.rates.take('a', 1, NOW)).passed).toBe(false);
    });

    test('a repeat that reaches the other one is a repeat, and waits until the first is durable', async () => {
      let finish: () => void = () => undefined;
      const durable = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const first = one.repeats.once('ana', 'view', { now: NOW, work: () => durable.then(work) });
      await new Promise((resolve) => setTimeout(resolve, 50));
      let answered = false;
      const repeat = two.repeats.once('ana', 'view', { now: NOW + 5, work }).then(() => (answered = true));
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(answered).toBe(false);
      finish();
      await Promise.all([first, repeat]);
      expect(worked).toBe(1);
    });

    test('where the first fails, the other one takes over', async () => {
      const first = one.repeats.once('ana', 'view', {
        now: NOW,
        work: () => new Promise((_resolve, reject) => setTimeout(() => reject(new Error('no disk')), 100)),
      });
      await new Promise((resolve) => setTimeout(resolve, 30));
      const repeat = two.repeats.once('ana', 'view', { now: NOW + 5, work });
      await expect(first).rejects.toThrow('no disk');
      await repeat;
      expect(worked).toBe(1);
    });

    test('who is forgotten by one is forgotten by both', async () => {
      await one.repeats.once('ana', 'view', { now: NOW, work });
      await two.repeats.forget('ana');
      await two.repeats.once('ana', 'view', { now: NOW + 5, work });
      expect(worked).toBe(2);
    });

    test('every key expires, and names nobody', async () => {
      await one.rates.take('browser 192.0.2.1', 10, NOW);
      await one.repeats.once('s1 u:ana', 'view', { now: NOW, work });
      await expect(one.repeats.once('s1 u:ana', 'other', { now: NOW, work: failing })).rejects.toThrow('no disk');
      const keys = await one.redis.run((client) => client.keys(one.redis.key('*')));
      expect(keys).toHaveLength(2);
      for (const key of keys) {
        expect(await one.redis.run((client) => client.pttl(key))).toBeGreaterThan(0);
        // Past the prefix, which is random.
        expect(key.slice(one.redis.prefix.length)).not.toMatch(/192\.0\.2|ana/);
      }
    });
  });

  describe('limits when Redis fails', () => {
    test.each(['killed', 'paused'])('%s: every replica decides for itself, without waiting', async (how) => {
      const server = await TestServer.start('redis');
      const { rates, repeats, redis } = await replica(server.url, 'shop', 50);
      try {
        if (how === 'killed') await server.kill();
        else server.pause();
        let worked = 0;
        const start = performance.now();
        for (let call = 0; call < 5; call += 1) {
          await repeats.once('ana', 'view', { now: NOW + call, work: async () => void (worked += 1) });
        }
        const taken = [];
        // Each would wait for 50 ms.
        for (let call = 0; call < 400; call += 1) taken.push(await rates.take('a', 98, NOW));
        expect(performance.now() - start).toBeLessThan(10_000);
        expect(worked).toBe(1);
        expect(taken.filter(({ passed }) => passed)).toHaveLength(98);
        expect(taken.some(({ shared }) => shared)).toBe(false);
      } finally {
        await redis.close();
        await server.stop();
      }
    });
  });
});
