import { randomUUID } from 'node:crypto';
import { InProcessClickWindows } from '../../src/showcase/links/adapters/embedded/in-process-click-windows';
import { RedisClickWindows } from '../../src/showcase/links/adapters/redis/redis-click-windows';
import { RedisConnection } from '../../src/storage/redis/redis-connection';
import { TestServer } from '../servers/test-server';
import { describeOn } from '../support/servers';
import { describeClickWindowsContract } from './click-windows.contract';

const NOW = Date.UTC(2026, 0, 15, 12);
const limits = { perMinute: 10, usersPerHour: 100, share: 1, floor: 100, rated: 1 };
const aClick = (number: number) => {
  return { store: 's1', address: 'hash-1', shopper: `u:ana-${number}`, campaign: 'verao', product: 'p1', now: NOW };
};

describeOn('redis', ({ redis: url }) => {
  const replica = async (prefix: string, limitMs = 2000) => {
    const redis = await RedisConnection.open({ url, prefix, limitMs });
    return { redis, windows: new RedisClickWindows(redis, new InProcessClickWindows()) };
  };

  describeClickWindowsContract('redis', async () => {
    const { redis, windows } = await replica(`test-${randomUUID()}`);
    return { windows, close: () => redis.close() };
  });

  test('a limit holds over two replicas; every counter expires, and names no shopper', async () => {
    const prefix = `test-${randomUUID()}`;
    const [one, two] = [await replica(prefix), await replica(prefix)];
    const admissions = await Promise.all(
      Array.from({ length: 30 }, (_, number) => (number % 2 === 0 ? one : two).windows.admit(aClick(number), limits)),
    );
    expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(10);
    await one.windows.takeView(aClick(1), 1);
    const keys = await one.redis.run((client) => client.keys(one.redis.key('*')));
    expect(keys).toHaveLength(4);
    for (const key of keys) {
      expect(await one.redis.run((client) => client.pttl(key))).toBeGreaterThan(0);
      const fields = await one.redis.run((client) => client.hkeys(key)).catch(() => []);
      // Past the prefix, which is random.
      expect([key.slice(prefix.length), ...fields].join(' ')).not.toContain('u:ana');
    }
    await one.redis.close();
    await two.redis.close();
  });

  test('while Redis is gone, every replica counts for itself', async () => {
    const server = await TestServer.start('redis');
    const redis = await RedisConnection.open({ url: server.url, prefix: 'shop', limitMs: 50 });
    const windows = new RedisClickWindows(redis, new InProcessClickWindows());
    try {
      await server.kill();
      let admitted = 0;
      for (let number = 0; number < 30; number += 1) {
        if ((await windows.admit(aClick(number), limits)).admitted) admitted += 1;
      }
      expect(admitted).toBe(10);
      expect([await windows.takeView(aClick(1), 1), await windows.takeView(aClick(1), 1)]).toEqual([true, false]);
      await windows.giveBack(aClick(1));
    } finally {
      await redis.close();
      await server.stop();
    }
  });
});
