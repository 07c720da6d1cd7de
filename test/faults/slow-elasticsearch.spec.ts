import { setTimeout as sleep } from 'node:timers/promises';
import { aProduct } from '../builders/a-product';
import { authenticate, inspect, tokenOf } from '../support/inspector';
import { RefusingShop } from '../support/refusing-shop';
import { describeOn } from '../support/servers';
import { aCampaign, ShowcaseShop } from '../support/showcase-shop';
import { SlowProxy } from '../support/slow-proxy';
import { type Json, must, type Reply } from '../support/store-client';

/** What is promised, and what a busy machine may add. */
const ANSWERED_WITHIN_MS = 1000 + 1800;
const DELAY_MS = 3000;
/** More than a change of an operator waits for. */
const LATE_WRITE_MS = 7000;

jest.setTimeout(240_000);

describeOn(['elasticsearch', 'redis'], (urls) =>
  describe('Elasticsearch that takes three seconds for each call', () => {
    let shop: RefusingShop;
    let proxy: SlowProxy;

    beforeAll(async () => {
      proxy = await SlowProxy.start(urls.elasticsearch);
      shop = await RefusingShop.open({ ...urls, elasticsearch: proxy.url });
      await shop.patiently(async () => must(await shop.search(), 200));
      await shop.patiently(async () => must(await shop.view({ eventId: 'before' }), 204));
    });
    afterAll(async () => {
      proxy.delayMs = 0;
      await shop?.close();
      proxy.close();
    });

    const user = (body: Json): Promise<Reply> =>
      shop.store.send({ method: 'PUT', path: '/v7/users/bia', headers: shop.store.headers, body });
    const removal = (id: string): Promise<Reply> =>
      shop.store.send({ method: 'DELETE', path: `/v7/products/${id}`, headers: shop.store.headers });
    /** What was sent reaches Elasticsearch late. */
    const untilThereIs = async (apiKey: string): Promise<void> => {
      const headers = { authorization: `Bearer ${shop.service.adminToken()}` };
      for (;;) {
        const { status } = await shop.store.send({ path: `/admin/stores/${apiKey}`, headers });
        if (status === 200) return;
        await sleep(100);
      }
    };
    const timed = async (work: Promise<Reply>): Promise<Reply & { ms: number }> => {
      const since = performance.now();
      return { ...(await work), ms: performance.now() - since };
    };

    it('what takes several requests is answered or 503 within a second: erasure, admin, batches, showcases, inspection', async () => {
      const { store } = shop;
      const showcase = new ShowcaseShop(store);
      await shop.patiently(() => showcase.campaign('c', aCampaign(['veloz-01', 'calma-01'])));
      const card = await shop.patiently(() => showcase.card({ userId: 'caio' }));
      const token = await shop.patiently(() => tokenOf(store));
      await shop.patiently(async () => must(await shop.view({ eventId: 'kept', userId: 'caio' }), 204));
      const products = Array.from({ length: 300 }, (_, n) => aProduct({ id: `many-${n}`, name: 'Tênis aos montes' }));
      const post = (type: string, body: Json | string): Promise<Reply> =>
        store.send({
          method: 'POST',
          path: '/v7/products',
          headers: { ...store.headers, 'content-type': type },
          body,
        });
      const ndjson = products.map((product) => JSON.stringify(product)).join('\n');
      proxy.delayMs = DELAY_MS;
      const calls: Record<string, () => Promise<Reply>> = {
        erasure: () => store.send({ method: 'DELETE', path: '/v7/users/caio', headers: store.headers }),
        settings: () => store.admin({ method: 'PATCH', path: '', body: { name: 'Outra' } }),
        reindex: () => store.admin({ method: 'POST', path: '/reindex' }),
        campaign: () => store.admin({ method: 'PUT', path: '/campaigns/d', body: aCampaign(['veloz-02']) }),
        metrics: () => store.admin({ path: '/metrics/showcase' }),
        vector: () => store.admin({ path: '/users/caio/vector' }),
        export: () => store.admin({ method: 'POST', path: '/users/caio/export' }),
        JSON: () => post('application/json', { products }),
        showcases: () =>
          store.send({ path: '/v2/showcases', query: { placement: 'home', userId: 'novo' }, headers: store.headers }),
        click: () => showcase.follow(`${card.link}&redirect=0`),
        pixel: () => showcase.follow(card.px),
        order: () =>
          showcase.convert(
            { tId: 'o', currency: 'BRL', products: [{ sku: card.id, price: 10, qty: 1 }], total: 10 },
            'caio',
            { keys: true },
          ),
        authenticate: () => authenticate(store),
        inspection: () => inspect(store, token, '/product/veloz-01'),
      };
      // A stream is not cut off from outside.
      const stream = post('application/x-ndjson', ndjson);
      const replies = await Promise.all(
        Object.entries(calls).map(async ([name, call]) => ({ name, ...(await timed(call())) })),
      );
      proxy.delayMs = 0;
      expect([200, 503]).toContain((await stream).status);
      const late = replies
        .filter(({ ms }) => ms > ANSWERED_WITHIN_MS)
        .map(({ name, ms, status }) => ({ name, ms, status }));
      expect(late).toEqual([]);
      const wrong = replies.filter(
        ({ status, headers }) => status >= 400 && !(status === 503 && headers['retry-after'] === '1'),
      );
      expect(wrong.map(({ name, status, text }) => ({ name, status, text }))).toEqual([]);
      // What was refused is done when it is asked for again, once.
      await shop.patiently(() => store.erase('caio'));
      expect(await shop.patiently(() => store.exported('caio'))).toEqual([]);
      await shop.patiently(async () => must(await post('application/json', { products }), 200));
      await shop.patiently(async () =>
        expect(Number(must(await shop.search(store, { terms: 'montes' }), 200)['size'])).toBe(300),
      );
    });

    it('a store that was written after its creator was told 503 is answered, with its secret, when it is asked for again', async () => {
      const asked = { apiKey: 'late-shop', name: 'Late', origins: ['late-shop.example'] };
      const create = (body: Json): Promise<Reply> =>
        shop.store.send({
          method: 'POST',
          path: '/admin/stores',
          headers: { authorization: `Bearer ${shop.service.adminToken()}` },
          body,
        });
      Object.assign(proxy, { delayMs: LATE_WRITE_MS, onlyWhere: 'late-shop' });
      expect(await create(asked)).toMatchObject({ status: 503, json: { error: 'unavailable' } });
      Object.assign(proxy, { delayMs: 0, onlyWhere: null });
      await untilThereIs('late-shop');
      const { secretKey } = must(await create(asked), 201);
      const headers = { 'x-api-key': 'late-shop', 'x-secret-key': String(secretKey) };
      must(await shop.store.send({ path: '/searchapi/v3/queries', headers }), 200);
      expect(await create(asked)).toMatchObject({ status: 409, json: { error: 'conflict' } });
      expect(await create({ ...asked, apiKey: 'another' })).toMatchObject({ status: 409, json: { error: 'conflict' } });
    });

    it('reads and writes are 503 within a second, and what was refused is written once or not at all', async () => {
      const product = aProduct({ id: 'slow', name: 'Tênis demorado' });
      proxy.delayMs = DELAY_MS;
      const calls = [
        shop.search(shop.store, { terms: 'luminaria' }),
        shop.view({ eventId: 'slow', userId: 'bia' }),
        shop.put(product),
        removal('veloz-12'),
        user({ personalize: true }),
      ];
      for (const { status, json, headers, ms } of await Promise.all(calls.map(timed))) {
        expect([status, json['error'], headers['retry-after']]).toEqual([503, 'unavailable', '1']);
        expect(ms).toBeLessThan(ANSWERED_WITHIN_MS);
      }
      const { status, json } = await shop.ready();
      expect([status, json['dependencies']]).toEqual([503, { storage: 'down', redis: 'up' }]);
      expect(await shop.metric('elasticsearch_up')).toBe(0);
      proxy.delayMs = 0;
      await shop.patiently(async () => must(await shop.ready(), 200));
      await shop.patiently(async () => must(await shop.view({ eventId: 'slow', userId: 'bia' }), 204));
      await shop.patiently(async () => must(await shop.put(product), 202));
      await shop.patiently(async () => must(await removal('veloz-12'), 204));
      await shop.patiently(async () => must(await user({ personalize: true }), 204));
      const events = await shop.patiently(() => shop.store.exported('bia'));
      expect(events.filter(({ body }) => (body as Json | undefined)?.['eventId'] === 'slow')).toHaveLength(1);
      const found = await shop.patiently(() => shop.store.order({ terms: 'tenis' }));
      expect(found.filter((id) => id === 'slow' || id === 'veloz-12')).toEqual(['slow']);
    });
  }),
);
