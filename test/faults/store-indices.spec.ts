import { LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';
import { aProduct } from '../builders/a-product';
import { promptly } from '../support/promptly';
import { RefusingShop } from '../support/refusing-shop';
import { describeOn } from '../support/servers';
import { hurried, ServiceProcess } from '../support/service-process';
import { type Json, must, type Reply, type StoreClient } from '../support/store-client';

jest.setTimeout(240_000);

/** Looks after its indices once a second instead of twice a minute. */
const WATCHFUL = hurried(0);

/** All of it on one kind of server, and on the other what that kind decides. */
describeOn(['elasticsearch', 'redis'], (urls) => describeStoreIndices(urls, { all: true }));
describeOn(['opensearch', 'redis'], ({ opensearch, redis }) =>
  describeStoreIndices({ elasticsearch: opensearch, redis }, { all: false }),
);

describeOn(['elasticsearch', 'redis'], (urls) =>
  describe('what happens to an index that stores share', () => {
    let shop: RefusingShop;
    let other: StoreClient;

    beforeAll(async () => {
      // Its indices are looked after as often as everywhere, and when somebody asks.
      shop = await RefusingShop.open(urls, {}, { pooled: true });
      other = await shop.another('vizinha');
    });
    afterAll(() => shop?.close());

    const found = async (store: StoreClient): Promise<number> => Number(must(await shop.search(store), 200)['size']);
    const pools = async (): Promise<string[]> =>
      Object.keys(await shop.indices('products-*')).map((name) => name.replace(/^products-pool\.\d+\./, ''));
    /** Shoppers go on searching meanwhile. */
    const until = (wanted: unknown): Promise<void> =>
      (wanted ? promptly : patiently)(async () => {
        await shop.search();
        expect(must(await shop.ready(), 200)['stores']).toEqual(wanted);
      });
    const patiently = (work: () => Promise<void>): Promise<void> => shop.patiently(work);
    const first = async (): Promise<string> => Object.keys(await shop.indices('products-*'))[0] ?? '';

    it('is one for both, in which neither finds what the other has', async () => {
      expect(await pools()).toEqual(['000001-000001']);
      await patiently(async () => void must(await shop.put(aProduct({ id: 'own', name: 'Zarabatana' }), other), 202));
      await shop.patiently(async () =>
        expect(must(await shop.search(other, { terms: 'zarabatana' }), 200)['size']).toBe(1),
      );
      const ofNeighbour = (): Promise<Reply> => shop.search(shop.store, { terms: 'zarabatana' });
      await patiently(async () => expect(must(await ofNeighbour(), 200)['size']).toBe(0));
    });

    it('read-only: both are named, and go on being found', async () => {
      await shop.set(await first(), { 'index.blocks.write': true });
      const product = aProduct({ id: 'veloz-01', name: 'Tênis Veloz' });
      expect((await shop.put(product)).status).toBe(503);
      expect([await found(shop.store), await found(other)]).toEqual([24, 25]);
      await until({ loja: 'read_only', vizinha: 'read_only' });
      await shop.set(await first(), { 'index.blocks.write': null });
      await until(undefined);
      await shop.patiently(async () => must(await shop.put(product), 202));
    });

    it('gone: nothing is answered with nothing, and both are made anew in the next one', async () => {
      const index = shop.connection.index(await first());
      await shop.connection.call((client, options) => client.indices.delete({ index }, options), LONG_TIMEOUT);
      expect([(await shop.search()).status, (await shop.search(other)).status]).toEqual([503, 503]);
      await until({ loja: 'index_missing', vizinha: 'index_missing' });
      const second = await ServiceProcess.start(shop.env);
      try {
        await shop.patiently(async () => expect([await found(shop.store), await found(other)]).toEqual([24, 25]));
        expect(await pools()).toEqual(['000002-000001']);
      } finally {
        await second.kill();
      }
    });

    it('loses what a deleted store had, and nothing of the others', async () => {
      must(await other.admin({ method: 'DELETE', path: '' }), 202);
      const products = async (): Promise<number> => {
        const index = shop.connection.index('products-*');
        await shop.connection.refresh(index, LONG_TIMEOUT);
        const { count } = await shop.connection.call(
          (client, options) => client.count({ index }, options),
          LONG_TIMEOUT,
        );
        return count;
      };
      await shop.patiently(async () => expect(await products()).toBe(30));
      await patiently(async () => expect(await found(shop.store)).toBe(24));
    });
  }),
);

function describeStoreIndices(urls: { elasticsearch: string; redis: string }, { all }: { all: boolean }): void {
  describe('what happens to the index of one store', () => {
    let shop: RefusingShop;
    let other: StoreClient;

    beforeAll(async () => {
      shop = await RefusingShop.open(urls, WATCHFUL);
      other = await shop.another('vizinha');
      for (const store of [shop.store, other]) await shop.patiently(() => found(store));
    });
    afterAll(() => shop?.close());

    const found = async (store: StoreClient): Promise<number> => Number(must(await shop.search(store), 200)['size']);
    const told = ({ status, json, headers }: Reply): unknown => [status, json['error'], headers['retry-after']];
    const refused = [503, 'unavailable', '1'];
    const troubles = async (): Promise<unknown> => must(await shop.ready(), 200)['stores'];
    const patiently = (work: () => Promise<void>): Promise<void> => shop.patiently(work);
    const until = (wanted: unknown): Promise<void> =>
      (wanted ? promptly : patiently)(async () => {
        const is = await troubles();
        if (JSON.stringify(is) !== JSON.stringify(wanted)) throw new Error(`It says ${JSON.stringify(is)}`);
      });
    /** By name, as the cluster knows it. */
    const ask = (work: Parameters<typeof shop.connection.call>[0]): Promise<unknown> =>
      shop.connection.call(work, LONG_TIMEOUT);
    /** Starts another process on the same place, which has to serve the other store. */
    const startServesOthers = async (): Promise<void> => {
      const second = await ServiceProcess.start(shop.env);
      try {
        await shop.patiently(async () => must(await shop.search(other.through(second.send)), 200));
        expect(told(await shop.search(shop.store.through(second.send)))).toEqual(refused);
      } finally {
        await second.kill();
      }
    };

    it('read-only: its writes are 503, its searches and all others go on, and it passes', async () => {
      const name = await shop.servingIndex(shop.store);
      await shop.set(name, { 'index.blocks.write': true });
      const product = aProduct({ id: 'veloz-01', name: 'Tênis Veloz' });
      expect(told(await shop.put(product))).toEqual(refused);
      expect([await found(shop.store), await found(other)]).toEqual([24, 24]);
      must(await shop.put(product, other), 202);
      await until({ loja: 'read_only' });
      await shop.set(name, { 'index.blocks.write': null });
      await until(undefined);
      await shop.patiently(async () => must(await shop.put(product), 202));
    });

    it('closed: its searches and writes are 503, the others serve, a start works, and it is opened again', async () => {
      const index = shop.connection.index(await shop.servingIndex(shop.store));
      await ask((client, options) => client.indices.close({ index }, options));
      expect(told(await shop.search())).toEqual(refused);
      expect(told(await shop.put(aProduct({ id: 'closed', name: 'Tênis fechado' })))).toEqual(refused);
      expect(await found(other)).toBe(24);
      await until({ loja: 'index_closed' });
      expect(await shop.metric('stores_in_trouble')).toBe(1);
      expect(await shop.metric('elasticsearch_refusals_total{kind="index_closed"}')).toBeGreaterThan(0);
      await startServesOthers();
      await ask((client, options) => client.indices.open({ index }, options));
      await until(undefined);
      expect(await shop.patiently(() => found(shop.store))).toBeGreaterThanOrEqual(24);
    });

    if (all) {
      it('closed for good: asked to, it is made anew from the records', async () => {
        const before = await shop.servingIndex(shop.store);
        const index = shop.connection.index(before);
        await ask((client, options) => client.indices.close({ index }, options));
        const { jobId } = must(await shop.store.admin({ method: 'POST', path: '/reindex' }), 202);
        await shop.store.completed(String(jobId));
        // With the product that was recorded while it was closed.
        await shop.patiently(async () => expect(await found(shop.store)).toBe(25));
        await until(undefined);
      });
    }

    it('gone: nothing is answered with nothing, no write makes an empty one, and it heals by itself', async () => {
      const index = await shop.servingIndex(shop.store);
      await ask((client, options) => client.indices.delete({ index: shop.connection.index(index) }, options));
      expect(told(await shop.search())).toEqual(refused);
      const written = await shop.put(aProduct({ id: 'gone', name: 'Tênis perdido' }));
      expect(told(written)).toEqual(refused);
      expect(await found(other)).toBe(24);
      await until({ loja: 'index_missing' });
      // A start finds it, and has it made anew.
      await startServesOthers();
      await shop.patiently(async () => expect(await found(shop.store)).toBe(26));
      await until(undefined);
    });

    if (all) {
      it('another in its stead, with our mark and nothing in it: it is made anew, too', async () => {
        const index = shop.connection.index(await shop.servingIndex(shop.store));
        const found1 = (await ask((client, options) => client.indices.get({ index }, options))) as Json;
        const { aliases, mappings } = found1[index] as { aliases: Record<string, object>; mappings: object };
        await ask((client, options) => client.indices.delete({ index }, options));
        await ask((client, options) => client.indices.create({ index, aliases, mappings }, options));
        const second = await ServiceProcess.start(shop.env);
        await second.kill();
        await shop.patiently(async () => expect(await found(shop.store)).toBe(26));
      });
    }

    it('made by somebody else, compatible or not: refused by name, and nothing of it shown or deleted', async () => {
      const index = shop.connection.index(await shop.servingIndex(shop.store));
      const answer = (await ask((client, options) => client.indices.get({ index }, options))) as Json;
      const { aliases, mappings } = answer[index] as {
        aliases: Record<string, object>;
        mappings: { _meta?: object; dynamic?: string; properties?: object };
      };
      const { _meta: _mark, ...compatible } = mappings;
      const theirs = shop.connection.index('theirs');
      await ask((client, options) => client.indices.delete({ index }, options));
      for (const definition of [compatible, { properties: { channel: { type: 'text' as const } } }]) {
        const request = { index: theirs, aliases, mappings: definition as never };
        await ask((client, options) => client.indices.create(request, options));
        await until({ loja: 'alien_index' });
        expect(told(await shop.search())).toEqual(refused);
        expect(await found(other)).toBe(24);
        await ask((client, options) => client.indices.delete({ index: theirs }, options));
      }
      const second = await ServiceProcess.start(shop.env);
      await second.kill();
      await shop.patiently(async () => expect(await found(shop.store)).toBe(26));
    });

    if (all) {
      it('the log names what is wrong and what to do, once', async () => {
        const { stdout } = await shop.service.stop();
        for (const [kind, advice] of [
          ['index_closed', 'open it'],
          ['index_missing', 'by itself'],
          ['alien_index', 'delete or rename it'],
        ] as const) {
          const lines = stdout.split('\n').filter((line) => line.includes(`refuses requests (${kind}`));
          expect(lines.length).toBeGreaterThan(0);
          expect(lines[0]).toContain(advice);
        }
        expect(stdout).toContain(`${shop.connection.index('theirs')}`);
      });
    }
  });
}
