import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { aProduct } from '../builders/a-product';
import { TestServer } from '../servers/test-server';
import { RefusingShop } from '../support/refusing-shop';
import { describeOn } from '../support/servers';
import { SlowProxy } from '../support/slow-proxy';
import { type Json, must, type Reply, type StoreClient } from '../support/store-client';
import { unlessStarved } from '../support/unless-starved';

/** In the body of what is slow, and of nothing else. */
const SLOW_WORD = 'zarabatana';
const DELAY_MS = 12_000;
/** The service waits for its own write, and for nobody's answer, this long. */
const UNDER_WAY_MS = 4500;
const FAST_ONES = 3;
const AT_ONCE = 10;
/** Keeps Redis, which does one thing at a time, busy for so many milliseconds. */
const BUSY_MS = 1500;
const BUSY_LUA = `
  local function now() local t = redis.call('TIME') return t[1] * 1000 + t[2] / 1000 end
  local till = now() + ARGV[1]
  while now() < till do end
  return 1`;
/** What is promised, and what a busy machine may add. */
const ANSWERED_WITHIN_MS = 1000 + 1800;

jest.setTimeout(240_000);

describe.each(['elasticsearch', 'opensearch'] as const)('one that is slow among many that are fast, on %s', (kind) => {
  describeOn(kind, (urls) => {
    let proxy: SlowProxy;
    let redis: TestServer;
    let operator: Redis;
    let shop: RefusingShop;
    let other: StoreClient;
    let rounds = 0;

    beforeAll(async () => {
      [proxy, redis] = await Promise.all([SlowProxy.start(urls[kind]), TestServer.start('redis')]);
      operator = new Redis(redis.url);
      shop = await RefusingShop.open({ elasticsearch: proxy.url, redis: redis.url }, { LOG_LEVEL: 'warn' });
      other = await shop.another('vizinha');
      await shop.patiently(async () => must(await shop.search(), 200));
      await shop.patiently(async () => must(await shop.view({ eventId: 'before' }), 204));
    });
    afterAll(async () => {
      proxy.delayMs = 0;
      operator?.disconnect();
      await shop?.close();
      proxy.close();
      await redis?.stop();
    });

    const timed = async (work: Promise<Reply>): Promise<Reply & { ms: number }> => {
      const since = performance.now();
      return { ...(await work), ms: performance.now() - since };
    };
    /** Searches, events and products of others: each is answered well while the slow one is still under way. */
    async function allFast(since: number): Promise<void> {
      rounds += 1;
      const kinds = [
        (name: string): Promise<Reply> => shop.view({ eventId: name, userId: 'bia' }),
        (name: string): Promise<Reply> => shop.search(shop.store, { terms: 'tenis', userId: `u${name}` }),
        // Those of one store are indexed in their order, so that they wait for a slow one before them.
        (name: string): Promise<Reply> => shop.put(aProduct({ id: `fast-${name}`, name: 'Sapato' }), other),
      ];
      const names = Array.from({ length: FAST_ONES }, (_, number) => `${rounds}-${number}`);
      for (const name of names) {
        for (const ask of kinds) {
          let reply = await ask(name);
          // A busy machine is late for some.
          while (reply.status === 503 && performance.now() - since < UNDER_WAY_MS) reply = await ask(name);
          expect([200, 202, 204]).toContain(reply.status);
        }
      }
      expect(performance.now() - since).toBeLessThan(UNDER_WAY_MS);
    }
    const isUp = async (): Promise<void> => {
      must(await shop.ready(), 200);
      const names = ['elasticsearch_up', 'elasticsearch_nodes_down', 'redis_up'];
      expect(await Promise.all(names.map((name) => shop.metric(name)))).toEqual([1, 0, 1]);
    };

    const slow: [string, () => Promise<Reply>][] = [
      ['search', () => shop.search(shop.store, { terms: SLOW_WORD, userId: 'ana' })],
      ['product', () => shop.put(aProduct({ id: 'slow', name: SLOW_WORD }))],
      ['event', () => shop.view({ eventId: SLOW_WORD, userId: 'caio' })],
      [
        'pair of events, each in a request of its own,',
        async () => {
          const first = shop.view({ eventId: `${SLOW_WORD}-1`, userId: 'dani' });
          await wait(50);
          const second = await shop.view({ eventId: `${SLOW_WORD}-2`, userId: 'duda' });
          return second.status === 204 ? first : second;
        },
      ],
    ];

    it.each(slow)('a slow %s fails alone, within a second', async (_name, ask) => {
      await unlessStarved(async () => {
        proxy.onlyWhere = SLOW_WORD;
        proxy.delayMs = DELAY_MS;
        try {
          const since = performance.now();
          const late = timed(ask());
          // Those that come into the same request as the slow one are late with it.
          await wait(50);
          await allFast(since);
          const { status, json, headers, ms } = await late;
          expect([status, json['error'], headers['retry-after']]).toEqual([503, 'unavailable', '1']);
          expect(ms).toBeLessThan(ANSWERED_WITHIN_MS);
          await isUp();
        } finally {
          proxy.delayMs = 0;
        }
      });
      await shop.patiently(async () => expect([200, 202, 204]).toContain((await ask()).status));
    });

    it('what was refused for it is there once', async () => {
      const ofCaio = async (): Promise<unknown[]> =>
        (await shop.store.exported('caio')).flatMap(({ body }) => (body as Json | undefined)?.['eventId'] ?? []);
      expect(await shop.patiently(ofCaio)).toEqual([SLOW_WORD]);
      await shop.patiently(async () => expect(await shop.store.order({ terms: SLOW_WORD })).toEqual(['slow']));
    });

    it('a slow command of Redis: every search is right or neutral, no event is refused, and it is over with the command', async () => {
      const isPersonal = async (): Promise<unknown> => {
        const reply = await timed(shop.search(shop.store, { terms: 'tenis', userId: 'ana' }));
        if (reply.ms > ANSWERED_WITHIN_MS) throw new Error(`A search took ${reply.ms} ms`);
        return (must(reply, 200)['personalization'] as Json)['reason'] ?? 'personal';
      };
      await shop.patiently(async () => expect(await isPersonal()).toBe('personal'));
      await unlessStarved(async () => {
        // By somebody else: all that Redis is asked meanwhile comes after it.
        const command = operator.eval(BUSY_LUA, 0, BUSY_MS);
        await wait(50);
        const replies = await Promise.all(Array.from({ length: AT_ONCE }, isPersonal));
        expect(replies.filter((said) => said !== 'personal' && said !== 'profiles_unavailable')).toEqual([]);
        const views = Array.from({ length: AT_ONCE }, (_, number) =>
          shop.view({ eventId: `${rounds}-redis-${number}` }),
        );
        expect((await Promise.all(views)).filter(({ status }) => status !== 204)).toEqual([]);
        await command;
      });
      await shop.patiently(async () => {
        await isUp();
        expect(await isPersonal()).toBe('personal');
      });
    });
  });
});
