import { aProduct } from '../builders/a-product';
import { RefusingShop } from '../support/refusing-shop';
import { describeOn } from '../support/servers';
import { SlowProxy } from '../support/slow-proxy';
import { type Json, must, type Reply } from '../support/store-client';

/** What is promised, and what a busy machine may add. */
const ANSWERED_WITHIN_MS = 1000 + 1000;
const DELAY_MS = 2000;

jest.setTimeout(240_000);

describeOn(['elasticsearch', 'redis'], (urls) =>
  describe('Elasticsearch that takes two seconds for each call', () => {
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
    const timed = async (work: Promise<Reply>): Promise<Reply & { ms: number }> => {
      const since = performance.now();
      return { ...(await work), ms: performance.now() - since };
    };

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
      proxy.delayMs = 0;
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
