import { setTimeout as wait } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { ApiError } from '../../src/shared/api-error';
import { RedisConnection, RedisScript } from '../../src/storage/redis/redis-connection';
import { unusable } from '../../src/storage/redis/redis-client';
import { TestServer } from '../servers/test-server';
import { describeOn } from '../support/servers';
import { unlessStarved } from '../support/unless-starved';

/** On however busy a machine; what waits for a Redis that is down waits for ever, or 50 ms for each of 400 calls. */
const AT_ONCE_MS = 10_000;

async function failure(work: Promise<unknown>): Promise<{ error: unknown; after: number }> {
  const start = performance.now();
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, after: performance.now() - start };
}

async function until(check: () => boolean): Promise<void> {
  for (let waited = 0; !check(); waited += 10) {
    if (waited > 10_000) throw new Error('It never came to that');
    await wait(10);
  }
}

describeOn('redis', () =>
  describe('the connection to Redis', () => {
    let server: TestServer;
    let redis: RedisConnection;

    beforeAll(async () => {
      server = await TestServer.start('redis');
    });
    afterAll(() => server.stop());
    beforeEach(async () => {
      redis = await RedisConnection.open({ url: server.url, prefix: 'shop' });
      await redis.run((client) => client.set(redis.key('a', 'b'), '1', 'EX', 60), AT_ONCE_MS);
    });
    afterEach(() => redis.close());

    const get = (): Promise<string | null> => redis.run((client) => client.get(redis.key('a', 'b')));
    const works = (): Promise<void> => unlessStarved(async () => expect(await get()).toBe('1'));
    const isUnavailable = ({ error, after }: { error: unknown; after: number }): void => {
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code: 'unavailable', options: { retryAfter: 1 } });
      expect(after).toBeLessThan(AT_ONCE_MS);
    };

    describe('whose limit is no part of it', () => {
      let patient: RedisConnection;

      beforeAll(async () => {
        patient = await RedisConnection.open({ url: server.url, prefix: 'shop', limitMs: AT_ONCE_MS });
      });
      afterAll(() => patient.close());

      test('outlives every error of its socket, and listens to them once', async () => {
        await patient.run(async ({ stream }) => {
          const before = stream.listenerCount('error');
          for (let error = 0; error < 20; error++) stream.emit('error', new Error('an alert'));
          expect(stream.listenerCount('error')).toBeLessThanOrEqual(before);
        });
        await patient.run((client) => client.ping());
      });

      test('carries out commands under its prefix', async () => {
        const key = patient.key('a', 'b');
        await patient.run((client) => client.set(key, '1', 'EX', 60));
        expect(await patient.run((client) => client.get(key))).toBe('1');
        expect(await patient.run((client) => client.keys('*'))).toEqual(['shop:a:b']);
      });

      test('runs a script, also after Redis forgot it', async () => {
        const script = new RedisScript('return {KEYS[1], ARGV[1], ARGV[2]}');
        const run = () => patient.run((client) => script.run(client, ['k'], [1, 'two']));
        expect(await run()).toEqual(['k', '1', 'two']);
        await patient.run((client) => client.script('FLUSH'));
        expect(await run()).toEqual(['k', '1', 'two']);
      });

      test('hands mistakes in a command on as they are', async () => {
        const { error } = await failure(patient.run((client) => client.call('NO-SUCH-COMMAND')));
        expect(error).not.toBeInstanceOf(ApiError);
        expect(String(error)).toContain('unknown command');
        expect(patient.up).toBe(true);
      });
    });

    test('killed: fails at once, and works again when Redis does', async () => {
      const changes: boolean[] = [];
      redis.onChange((up) => changes.push(up));
      await server.kill();
      isUnavailable(await failure(get()));
      await until(() => !redis.up);
      for (let call = 0; call < 20; call += 1) isUnavailable(await failure(get()));
      await server.startAgain();
      await until(() => redis.up);
      await works();
      expect(changes).toEqual([false, true]);
    });

    test('paused: one command waits for its limit, later ones fail at once, and all work again afterwards', async () => {
      server.pause();
      const first = await failure(get());
      isUnavailable(first);
      expect(first.after).toBeGreaterThan(40);
      const start = performance.now();
      for (let call = 0; call < 400; call += 1) isUnavailable(await failure(get()));
      expect(performance.now() - start).toBeLessThan(AT_ONCE_MS);
      server.resume();
      await until(() => redis.up);
      await works();
    });

    test('paused for long: the connection is made anew', async () => {
      server.pause();
      isUnavailable(await failure(get()));
      await wait(4000);
      server.resume();
      await until(() => redis.up);
      await works();
    });

    describe('a command that is slow', () => {
      /** Keeps Redis, which does one thing at a time, busy for so many milliseconds. */
      const busyFor = (client: Redis, ms: number): Promise<unknown> => {
        const now = "local t = redis.call('TIME') return t[1] * 1000000 + t[2]";
        const lua = `local function now() ${now} end local e = now() + ${ms * 1000} while now() < e do end return 1`;
        return client.eval(lua, 0);
      };

      test('fails alone: those behind it are answered, and Redis is not down', async () => {
        let changes: boolean[] = [];
        redis.onChange((up) => changes.push(up));
        await unlessStarved(async () => {
          await until(() => redis.up);
          changes = [];
          const slow = failure(redis.run((client) => busyFor(client, 120)));
          const behind = Array.from({ length: 20 }, () => get());
          isUnavailable(await slow);
          expect(await Promise.all(behind)).toEqual(Array.from({ length: 20 }, () => '1'));
          await wait(200);
          expect([redis.up, changes]).toEqual([true, []]);
        });
      });

      test('keeps those behind it waiting for a few limits at most', async () => {
        const since = performance.now();
        const slow = failure(redis.run((client) => busyFor(client, 4000)));
        isUnavailable(await failure(get()));
        expect(performance.now() - since).toBeLessThan(3000);
        isUnavailable(await slow);
        await until(() => redis.up);
        await works();
      });

      describe('because its answer is big', () => {
        const BYTES = 20_000_000;
        let busy: RedisConnection;

        beforeEach(async () => {
          busy = await RedisConnection.open({ url: server.url, prefix: 'shop', limitMs: 250 });
          await busy.run((client) => client.call('SET', busy.key('big'), Buffer.alloc(BYTES, 'x')), 10_000);
        });
        afterEach(() => busy.close());

        const small = () => busy.run((client) => client.get(busy.key('a', 'b')));

        test('is read on the second connection once it was too slow, and others are answered', async () => {
          // It is there only after the command was given up, however late this process looks at its clock.
          let answered: () => void = () => undefined;
          isUnavailable(await failure(busy.runFor('big', () => new Promise<void>((resolve) => (answered = resolve)))));
          answered();
          const lanes = new Set<Redis>();
          const read = (): Promise<unknown> =>
            busy.runFor('big', (client) => {
              lanes.add(client);
              return client.getBuffer(busy.key('big'));
            });
          for (let round = 0; round < 4; round += 1) {
            // Each by itself: how busy the machine was is told of the round that failed.
            await unlessStarved(async () => {
              const big = read().catch(() => null);
              expect(await Promise.all(Array.from({ length: 20 }, small))).toEqual(
                Array.from({ length: 20 }, () => '1'),
              );
              await big;
            });
          }
          const [lane] = lanes;
          const shoppers = await busy.run((client) => Promise.resolve(client));
          expect([lanes.size, lane === shoppers, busy.up]).toEqual([1, false, true]);
        });

        test('and is of a job, stands before nothing of a shopper', async () => {
          await unlessStarved(async () => {
            let lane: Redis | undefined;
            const big = busy.run((client) => (lane = client).getBuffer(busy.key('big')), 10_000);
            const [answer, bytes] = await Promise.all([small(), big]);
            expect([answer, bytes?.length]).toEqual(['1', BYTES]);
            expect(lane).not.toBe(await busy.run((client) => Promise.resolve(client)));
          });
        });
      });
    });

    test('has the whole limit from when it is sent, whatever this process did before that', async () => {
      await unlessStarved(async () => {
        const answer = get();
        const busy = performance.now() + 300;
        while (performance.now() < busy);
        expect(await answer).toBe('1');
      });
    });

    test('takes a longer limit where one is given', async () => {
      server.pause();
      const work = redis.run((client) => client.get(redis.key('a', 'b')), 5000);
      await wait(150);
      server.resume();
      expect(await work).toBe('1');
    });
  }),
);

describeOn('redis', () =>
  describe('a Redis that the service can’t start with', () => {
    let server: TestServer;

    beforeEach(async () => {
      server = await TestServer.start('redis');
    });
    afterEach(() => server.stop());

    const as = (user: string): string => server.url.replace('//', `//${user}@`);
    const place = (): string => server.url.replace('redis://', '');
    const open = (url: string) => RedisConnection.open({ url, prefix: 'shop', startWithinMs: 5000 });
    const refusal = (url: string) => failure(open(url));
    const set = async (...command: string[]): Promise<void> => {
      const redis = await open(server.url);
      await redis.run((client) => client.call(command[0] ?? '', command.slice(1)));
      await redis.close();
    };

    test('an address where nobody answers', async () => {
      await server.kill();
      const { error } = await refusal(server.url);
      expect(String(error)).toBe(`SettingsError: REDIS_URL: Redis at ${place()} can't be reached: ECONNREFUSED`);
    });

    test('a wrong password, which is not repeated', async () => {
      await set('CONFIG', 'SET', 'requirepass', 'right');
      const expected = `SettingsError: REDIS_URL: Redis at ${place()} does not accept this user and password`;
      for (const url of [as(':wrong'), as('nobody:wrong'), server.url]) {
        const { error, after } = await refusal(url);
        expect(String(error)).toBe(expected);
        expect(after).toBeLessThan(4000);
      }
      await (await open(as(':right'))).close();
    });

    test('a user without rights', async () => {
      await set('ACL', 'SETUSER', 'reader', 'on', '>reads', '~*', '+@read', '+@connection', '+info');
      const { error } = await refusal(as('reader:reads'));
      expect(String(error)).toContain(
        `SettingsError: REDIS_URL: Redis at ${place()} lacks rights for this user: NOPERM`,
      );
    });
  }),
);

test.each([
  ['redis_version:7.0.15\r\nredis_mode:standalone\r\nrole:master\r\n', null],
  ['redis_version:6.2.0\r\nrole:master\r\n', null],
  ['redis_version:6.0.16\r\nrole:master\r\n', /^Redis 6\.0\.16 is too old/],
  ['redis_version:7.2.0\r\nredis_mode:cluster\r\n', /Redis Cluster, on whose nodes the keys .* lie apart/],
  ['redis_version:7.2.0\r\nrole:slave\r\n', /replica/],
  ['redis_version:7.2.0\r\nmaxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n', null],
  ['redis_version:7.2.0\r\nmaxmemory:99\r\nmaxmemory_policy:noeviction\r\n', null],
  ['redis_version:7.2.0\r\nmaxmemory:99\r\nmaxmemory_policy:volatile-lru\r\n', /volatile-lru.*noeviction is required/],
])('is recognised by INFO: %j', (info, message) => {
  if (message === null) expect(unusable(info)).toBeNull();
  else expect(unusable(info)).toMatch(message);
});
