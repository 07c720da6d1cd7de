import { setTimeout as sleep } from 'node:timers/promises';
import { FaultyProxy } from '../attack/faulty-proxy';
import { RefusingShop } from '../support/refusing-shop';
import { describeOn } from '../support/servers';
import { type Json, must } from '../support/store-client';

/** Of the two seconds for which a known version goes on. After two of these waits the categories of a store, known for a second, were asked for again. */
const SERVED_MS = 700;
const BETWEEN_MS = 50;
const LONGER_MS = 2500;

jest.setTimeout(180_000);

describeOn(['elasticsearch', 'redis'], (urls) =>
  describe('Elasticsearch that refuses all it is asked', () => {
    let proxy: FaultyProxy;
    let shop: RefusingShop;

    beforeAll(async () => {
      proxy = await FaultyProxy.start(urls.elasticsearch);
      shop = await RefusingShop.open({ ...urls, elasticsearch: proxy.url });
    });
    afterAll(async () => {
      proxy.failing = false;
      await shop?.close();
      proxy.close();
    });

    const kept = (): Promise<number> => shop.metric('search_kept_total{kind="answered"}');
    const ids = (reply: Json): unknown[] => (reply['products'] as Json[]).map(({ id }) => id);
    /** By words, and by the name of a category, which only the index tells. */
    const found = async (): Promise<unknown[][]> => {
      const filtered = { terms: 'tenis', filter: 'category:Calçados/Tênis' };
      const replies = [await shop.search(), await shop.search(shop.store, filtered)];
      return replies.map((reply) => ids(must(reply, 200)));
    };
    const foundKept = async (): Promise<unknown[][]> => {
      const before = await kept();
      const products = await found();
      // Both searches, and the counts of the categories.
      expect(await kept()).toBeGreaterThanOrEqual(before + 3);
      return products;
    };

    it('is not felt by who asks what is kept, for a moment; then searches are 503, and 200 as soon as it answers', async () => {
      const before = await shop.patiently(foundKept);
      for (const products of before) expect(products.length).toBeGreaterThan(0);
      // It asks for the version again.
      await sleep(SERVED_MS);
      expect(await found()).toEqual(before);
      proxy.failing = true;
      for (const until = performance.now() + SERVED_MS; performance.now() < until; await sleep(BETWEEN_MS)) {
        expect(await found()).toEqual(before);
      }
      await sleep(LONGER_MS);
      expect((await shop.search()).status).toBe(503);
      proxy.failing = false;
      expect(await shop.patiently(found)).toEqual(before);
    });
  }),
);
