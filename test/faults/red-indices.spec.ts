import { LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';
import { aProduct } from '../builders/a-product';
import { TestServer } from '../servers/test-server';
import { promptly } from '../support/promptly';
import { RefusingShop } from '../support/refusing-shop';
import { describeOn } from '../support/servers';
import { ServiceProcess } from '../support/service-process';
import { type Json, must, patient, type Reply, type StoreClient } from '../support/store-client';

/** What is promised, and what a busy machine may add. */
const ANSWERED_WITHIN_MS = 1000 + 4000;
const AT_ONCE = 4;
const RED = 'Tênis encarnado';

jest.setTimeout(400_000);

describe.each(['elasticsearch', 'opensearch'] as const)('an index that is red, its only copy gone, on %s', (kind) => {
  describeOn([kind, 'redis'], ({ redis }) => {
    let server: TestServer;
    /** Each store of it has an index of its own. */
    let shop: RefusingShop;
    let other: StoreClient;
    /** Its stores share one. */
    let pooled: RefusingShop;
    let neighbour: StoreClient;

    beforeAll(async () => {
      server = await TestServer.start(kind);
      const urls = { elasticsearch: server.url, redis };
      shop = await RefusingShop.open(urls, { LOG_LEVEL: 'warn' });
      other = await shop.another('vizinha');
      pooled = await RefusingShop.open(urls, {}, { pooled: true });
      neighbour = await pooled.another('vizinha');
      for (const store of [shop.store, other]) await finds(store, 24);
      for (const store of [pooled.store, neighbour]) await finds(store, 24, pooled);
    });
    afterAll(async () => {
      await pooled?.close();
      await shop?.close();
      await server?.stop();
    });

    const found = async (store: StoreClient, of = shop): Promise<number> =>
      Number(must(await of.search(store), 200)['size']);
    const finds = (store: StoreClient, count: number, of = shop): Promise<void> =>
      of.patiently(async () => expect(await found(store, of)).toBe(count));
    const puts = (id: string, store = shop.store): Promise<unknown> =>
      shop.patiently(async () => must(await shop.put(aProduct({ id, name: RED }), store), 202));
    const refused = async (work: () => Promise<Reply>): Promise<void> => {
      const since = performance.now();
      const { status, json, headers } = await work();
      expect([status, json['error'], headers['retry-after']]).toEqual([503, 'unavailable', '1']);
      expect(performance.now() - since).toBeLessThan(ANSWERED_WITHIN_MS);
    };
    const until = async (wanted: Json | undefined, of = shop): Promise<void> => {
      const says = async (): Promise<void> => expect(must(await of.ready(), 200)['stores']).toEqual(wanted);
      if (!wanted) return of.patiently(says);
      // A server that was just started again has all its indices to open first.
      await of.patiently(async () => must(await of.ready(), 200));
      return promptly(async () => {
        await says();
        expect(await of.metric('stores_in_trouble')).toBe(Object.keys(wanted).length);
        if (of === shop) expect(of.service.log).toContain('refuses requests (index_unreadable');
      });
    };
    const fullName = async (of: RefusingShop): Promise<string> =>
      of.connection.index(
        of === pooled ? (Object.keys(await of.indices('products-*'))[0] ?? '') : await of.servingIndex(of.store),
      );
    const uuidOf = async (index: string): Promise<string> => {
      const answer = (await shop.connection.call((client, options) => client.indices.get({ index }, options))) as Json;
      const { settings } = answer[index] as { settings: { index: { uuid: string } } };
      return settings.index.uuid;
    };
    const again = async (meanwhile: () => void): Promise<void> => {
      await server.kill();
      meanwhile();
      await server.startAgain();
    };

    let bringBack: (() => void)[] = [];
    let uuids: string[] = [];

    it('its searches and writes are 503 within a second, the others serve, it is told, and a start works', async () => {
      uuids = await Promise.all([shop, pooled].map(async (of) => uuidOf(await fullName(of))));
      await again(() => (bringBack = uuids.map((uuid) => server.takeShard(uuid))));
      await finds(other, 24);
      await refused(() => shop.search());
      // Words that were asked for before are known, and what is behind them is not shown from memory.
      await refused(() => shop.search(shop.store, { terms: 'tenis', userId: 'ana' }));
      await refused(() => shop.search(shop.store, {}));
      await refused(() => pooled.search());
      // Writes that wait for their shard keep nobody else's waiting: there are always some while the other store's are taken.
      const over = new AbortController();
      const ours = Array.from({ length: AT_ONCE }, async (_, number) => {
        while (!over.signal.aborted) await refused(() => shop.put(aProduct({ id: `red-${number}`, name: RED })));
      });
      for (let number = 0; number < AT_ONCE; number += 1) await puts(`red-${number}`, other);
      over.abort();
      await Promise.all(ours);
      await shop.patiently(async () => must(await shop.view({ eventId: 'red', userId: 'bia' }), 204));

      await until({ loja: 'index_unreadable' });
      await until({ loja: 'index_unreadable', vizinha: 'index_unreadable' }, pooled);
      expect(await shop.metric('stores_in_trouble')).toBe(1);
      expect(await shop.metric('elasticsearch_refusals_total{kind="index_unreadable"}')).toBeGreaterThan(0);
      const second = await ServiceProcess.start(shop.env);
      try {
        await shop.patiently(async () => must(await shop.search(other.through(second.send)), 200));
        await refused(() => shop.search(shop.store.through(second.send)));
      } finally {
        await second.kill();
      }
    });

    it('passes where the copy comes back, with nothing made anew in its stead and nothing lost', async () => {
      await again(() => bringBack.forEach((bring) => bring()));
      await until(undefined);
      await until(undefined, pooled);
      await finds(pooled.store, 24, pooled);
      await finds(neighbour, 24, pooled);
      // What was refused is there once, whether or not it had been recorded.
      for (let number = 0; number < AT_ONCE; number += 1) await puts(`red-${number}`);
      await finds(shop.store, 24 + AT_ONCE);
      expect(await Promise.all([shop, pooled].map(async (of) => uuidOf(await fullName(of))))).toEqual(uuids);
      const events = await shop.patiently(() => shop.store.exported('bia'));
      expect(events.filter(({ body }) => (body as Json | undefined)?.['eventId'] === 'red')).toHaveLength(1);
    });

    it('where it does not, it is made anew from the records when somebody asks for it, and takes writes', async () => {
      await again(() => uuids.forEach((uuid) => server.takeShard(uuid)));
      await until({ loja: 'index_unreadable' });
      await until({ loja: 'index_unreadable', vizinha: 'index_unreadable' }, pooled);
      const store = shop.store.through(patient(shop.service.send));
      const { jobId } = must(await store.admin({ method: 'POST', path: '/reindex' }), 202);
      // It waits for the copy for a while.
      await shop.patiently(() => store.completed(String(jobId)));
      // Nothing is kept to go back to, into which no write would go.
      await puts('anew');
      await finds(shop.store, 24 + AT_ONCE + 1);
      await until(undefined);
    });

    it('nor does it have to be asked for where the index is deleted', async () => {
      const [lost = ''] = Object.keys(await pooled.indices('products-*')).toSorted();
      const index = pooled.connection.index(lost);
      expect(await uuidOf(index)).toBe(uuids[1]);
      await shop.connection.call((client, options) => client.indices.delete({ index }, options), LONG_TIMEOUT);
      // A process that runs looks once a minute, one that starts looks at once.
      const second = await ServiceProcess.start(pooled.env);
      try {
        await finds(neighbour, 24, pooled);
        await finds(pooled.store, 24, pooled);
        await until(undefined, pooled);
      } finally {
        await second.kill();
      }
    });

    it('the log has a line with what to do', async () => {
      const { stdout } = await shop.service.stop();
      const lines = stdout.split('\n').filter((line) => line.includes('refuses requests (index_unreadable'));
      expect(lines.length).toBeGreaterThan(0);
      expect(lines[0]).toContain('GET _cluster/allocation/explain');
    });
  });
});
