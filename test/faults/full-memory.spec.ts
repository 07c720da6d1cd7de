import { setTimeout as wait } from 'node:timers/promises';
import { aProduct } from '../builders/a-product';
import { TestServer } from '../servers/test-server';
import { RefusingShop } from '../support/refusing-shop';
import { describeOn } from '../support/servers';
import { aCampaign, type Card, ShowcaseShop } from '../support/showcase-shop';
import { type Json, must, type Reply } from '../support/store-client';

/** What is promised, and what a machine may add on which servers and other suites run. */
const ANSWERED_WITHIN_MS = 1000 + 4000;
const TOLD_WITHIN_MS = 15_000;
const START_WITHIN_MS = 240_000;

/** All of the heap, and what searches and aggregations may take of it. */
const BREAKERS = ['indices.breaker.total.limit', 'indices.breaker.request.limit'] as const;

jest.setTimeout(240_000);

describe.each(['elasticsearch', 'opensearch'] as const)('the memory of %s is full', (kind) => {
  describeOn([kind, 'redis'], (urls) => {
    let server: TestServer;
    let shop: RefusingShop;
    let showcase: ShowcaseShop;
    let cards: Card[];
    /** Epoch ms; the first time, and the last. */
    let firstFullAt = 0;
    let fullAt = 0;

    beforeAll(async () => {
      server = await TestServer.start(kind);
      shop = await RefusingShop.open({ elasticsearch: server.url, redis: urls.redis });
      showcase = new ShowcaseShop(shop.store);
      await shop.patiently(async () => must(await shop.search(), 200));
      await shop.patiently(async () => must(await shop.view({ eventId: 'before', userId: 'bia' }), 204));
      const sponsored = ['veloz-01', 'veloz-02', 'veloz-03', 'veloz-04'];
      await shop.patiently(() => showcase.campaign('c', aCampaign(sponsored)));
      await shop.patiently(async () => {
        cards = await showcase.cards({ userId: 'bia' });
        expect(cards).toHaveLength(sponsored.length);
      });
    }, START_WITHIN_MS);
    afterEach(async () => {
      for (const breaker of BREAKERS) await limit(breaker, null);
    });
    afterAll(async () => {
      await shop?.close();
      await server?.stop();
    });

    /** The circuit breakers of the cluster, which is this suite's own, as a heap that is full trips them. */
    const limit = (breaker: (typeof BREAKERS)[number], value: string | null): Promise<unknown> =>
      shop.connection.call((client, options) =>
        client.cluster.putSettings({ persistent: { [breaker]: value } }, options),
      );
    const timed = async (work: () => Promise<Reply>): Promise<unknown> => {
      const since = performance.now();
      const { status, json, headers } = await work();
      return [status, json['error'], headers['retry-after'], performance.now() - since < ANSWERED_WITHIN_MS];
    };
    const refusals = (): Promise<number> => shop.metric('elasticsearch_refusals_total{kind="overloaded"}');
    const state = async (): Promise<unknown> => {
      const { status, json } = await shop.ready();
      return [status, (json['dependencies'] as Json)['storage'], JSON.stringify(json['reasons'] ?? {})];
    };
    const untilTold = async (told: () => Promise<boolean>): Promise<void> => {
      while (!(await told())) {
        expect(Date.now() - fullAt).toBeLessThan(TOLD_WITHIN_MS);
        await wait(50);
      }
    };

    it('searches, events, products and clicks are 503 within a second, it is told, and it passes by itself', async () => {
      const acknowledged: string[] = [];
      const load = new AbortController();
      const shoppers = Array.from({ length: 4 }, async (_, shopper) => {
        for (let serial = 0; !load.signal.aborted; serial += 1) {
          const eventId = `full-${shopper}-${serial}`;
          if ((await shop.view({ eventId, userId: 'cai' })).status === 204) acknowledged.push(eventId);
          else await wait(20);
        }
      });
      while (acknowledged.length < 50) await wait(10);
      const before = await refusals();
      firstFullAt = fullAt = Date.now();
      await limit('indices.breaker.total.limit', '1b');
      const product = aProduct({ id: 'novo', name: 'Tênis novo' });
      const calls = {
        search: () => shop.search(),
        personal: () => shop.search(shop.store, { terms: 'tenis', userId: 'bia' }),
        event: () => shop.view({ eventId: 'refused', userId: 'bia' }),
        product: () => shop.put(product),
        click: () => showcase.follow(cards[0]?.link ?? ''),
      };
      for (const [name, call] of Object.entries(calls)) {
        expect([name, await timed(call)]).toEqual([name, [503, 'unavailable', '1', true]]);
      }
      await untilTold(async () => (await refusals()) > before);
      expect(await state()).toEqual([503, 'down', expect.stringContaining('memory')]);
      expect((await shop.service.send({ path: '/health/live' })).status).toBe(200);

      await limit('indices.breaker.total.limit', null);
      await shop.patiently(async () => expect(await state()).toEqual([200, 'up', '{}']));
      await shop.patiently(async () => must(await calls.search(), 200));
      await shop.patiently(async () => must(await calls.event(), 204));
      await shop.patiently(async () => must(await calls.product(), 202));
      await shop.patiently(async () => must(await calls.click(), 302));
      load.abort();
      await Promise.all(shoppers);
      const ids = (await shop.store.exported('cai')).flatMap(({ type, body }) =>
        type === 'event' ? [String((body as Json)['eventId'])] : [],
      );
      expect(new Set(ids).size).toBe(ids.length);
      expect(acknowledged.filter((eventId) => !ids.includes(eventId))).toEqual([]);
      const { rows } = await showcase.metrics();
      expect(rows.filter(({ clicks }) => clicks > 0).map(({ product: id, clicks }) => [id, clicks])).toEqual([
        [cards[0]?.id, 1],
      ]);
    });

    it('no room for searches alone: they are 503 and told, events are taken, and it passes by itself', async () => {
      const before = await refusals();
      fullAt = Date.now();
      await limit('indices.breaker.request.limit', '1b');
      expect(await timed(() => shop.search())).toEqual([503, 'unavailable', '1', true]);
      expect((await shop.view({ eventId: 'taken', userId: 'dora' })).status).toBe(204);
      await untilTold(async () => (await refusals()) > before);
      // A replica that can still take events stays in service.
      expect(await state()).toEqual([200, 'down', expect.stringContaining('memory')]);
      await limit('indices.breaker.request.limit', null);
      await shop.patiently(async () => must(await shop.search(), 200));
      await shop.patiently(async () => expect(await state()).toEqual([200, 'up', '{}']));
      const events = await shop.store.exported('dora');
      expect(events.filter(({ body }) => (body as Json | undefined)?.['eventId'] === 'taken')).toHaveLength(1);
    });

    it('the log has said so in one line, with what to do', async () => {
      const { stdout } = await shop.service.stop();
      const lines = stdout.split('\n').filter((line) => line.includes('refuses requests (overloaded'));
      expect(lines.length).toBeGreaterThan(0);
      expect(lines[0]).toContain('larger heap');
      const { time } = JSON.parse(lines[0] ?? '{}') as { time: number | string };
      expect(new Date(time).getTime() - firstFullAt).toBeLessThan(TOLD_WITHIN_MS);
    });
  });
});
