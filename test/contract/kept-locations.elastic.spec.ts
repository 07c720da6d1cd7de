import { setTimeout as sleep } from 'node:timers/promises';
import { ElasticDocuments } from '../../src/documents/adapters/elastic/elastic-documents';
import { CacheInvalidation } from '../../src/documents/cache-invalidation';
import { NoPeers } from '../../src/documents/peers';
import { ElasticSearchEngine } from '../../src/engine/adapters/elastic/elastic-search-engine';
import { DocumentedIndices } from '../../src/engine/adapters/elastic/mapping/documented-indices';
import { LocationDirectory } from '../../src/engine/adapters/elastic/locations/location-directory';
import type { EngineProduct, EngineResult } from '../../src/engine/search-engine';
import { defaultTemplate } from '../../src/ranking/template/template';
import { SystemClock } from '../../src/shared/clock';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { aPlanFor, boostsOf, type DocumentSpec, engineProducts } from '../builders/an-engine-document';
import { dropIndices, openElastic } from '../support/elastic';
import { idsOf } from '../support/engine-bench';
import { describeOn } from '../support/servers';

const servers = { elasticsearch: 'Elasticsearch', opensearch: 'OpenSearch' } as const;
const OWN_FROM = 20;
const TIMES = { knownMs: 200, graceMs: 0, ownFrom: OWN_FROM };
/** Longer than a version is used without asking. */
const KNOWN_MS = 300;
const TRIES = 50;

const bolas = (count: number, feature: string): DocumentSpec[] =>
  Array.from({ length: count }, (_, index) => ({
    productId: `p${index}`,
    name: `bola ${index}`,
    brand: { key: feature, label: feature },
    features: [`brand:${feature}`, `tag:${index % 2 === 0 ? 'even' : 'odd'}`],
  }));

for (const kind of ['elasticsearch', 'opensearch'] as const) {
  describeOn(kind, (urls) => {
    describe(`kept hits of a store among others on ${servers[kind]}`, () => {
      let connection: ElasticConnection;
      let caches: CacheInvalidation[];
      let here: ElasticSearchEngine;
      let there: ElasticSearchEngine;
      let stores = 0;
      let store: string;
      let other: string;

      /** As of one process. */
      const process = async (): Promise<ElasticSearchEngine> => {
        const documents = await ElasticDocuments.open(connection, new BulkBatcher(connection));
        const changes = new CacheInvalidation(documents, new NoPeers());
        caches.push(changes);
        const directory = new LocationDirectory(documents, changes);
        const memory = new DocumentedIndices(documents);
        return new ElasticSearchEngine(connection, new SystemClock(), { ...TIMES, memory, directory });
      };
      const writeAll = async (into: string, products: EngineProduct[]): Promise<void> => {
        await here.write(into, 'pt-BR', products);
        await here.searchable(into);
      };
      const write = (into: string, products: DocumentSpec[]): Promise<void> => writeAll(into, engineProducts(products));
      const remove = (from: string, productId: string): Promise<void> => writeAll(from, [{ productId, documents: [] }]);
      const ask = async (
        engine: ElasticSearchEngine,
        asked: string,
        { feature, explain = false }: { feature?: string; explain?: boolean } = {},
      ): Promise<EngineResult> => {
        const plan = await aPlanFor(engine, 'bola', { store: asked, size: 100, facets: ['brand'] });
        const boosts = feature === undefined ? null : boostsOf({ [feature]: 2 });
        return engine.search({ plan, template: defaultTemplate, boosts, explain });
      };
      /** Asks until the answer is one of kept hits; fails where it never is. */
      const kept = async (engine: ElasticSearchEngine, asked: string): Promise<EngineResult> => {
        for (let tries = 0; tries < TRIES; tries++) {
          const result = await ask(engine, asked);
          if (result.execution === 'kept') return result;
          await sleep(20);
        }
        throw new Error('The hits were never kept');
      };
      const isPooled = async (asked: string): Promise<boolean> => {
        const index = connection.index(`products-${asked}-*`);
        const own = await connection.call((client, options) => client.indices.get({ index }, options));
        return Object.keys(own).length === 0;
      };
      /** Documents of a store in all pools. */
      const inPools = async (asked: string): Promise<number> => {
        const request = { index: connection.index('products-pool.*'), query: { prefix: { scope: `${asked}.` } } };
        return (await connection.call((client, options) => client.count(request, options))).count;
      };
      /** For nobody, for a shopper, and explained. */
      const expectOnly = async (engine: ElasticSearchEngine, asked: string, ids: readonly string[]): Promise<void> => {
        for (const query of [{}, { feature: 'tag:odd' }, { feature: 'tag:even', explain: true }]) {
          const result = await ask(engine, asked, query);
          expect(idsOf(result).toSorted()).toEqual(ids.toSorted());
          expect(result.total).toBe(ids.length);
        }
      };

      /** The other process hears of it by itself within a second. */
      const heardOfMove = async (): Promise<void> => {
        for (const changes of caches) await changes.refresh();
      };

      beforeAll(async () => {
        connection = await openElastic(urls[kind]);
        caches = [];
        here = await process();
        there = await process();
      });
      beforeEach(() => {
        store = `moving${++stores}`;
        other = `beside${stores}`;
      });
      afterAll(async () => {
        await Promise.all(caches.map((changes) => changes.onModuleDestroy()));
        await dropIndices(connection);
        await connection.close();
      });

      it('are its own, though products of others have the same ids and numbers', async () => {
        await write(store, bolas(12, 'mine'));
        await write(other, bolas(16, 'theirs'));
        expect(await isPooled(store)).toBe(true);
        for (const [asked, count, feature] of [
          [store, 12, 'mine'],
          [other, 16, 'theirs'],
        ] as const) {
          const { total, facets } = await kept(here, asked);
          expect(total).toBe(count);
          expect(facets['brand']).toMatchObject({ values: [{ key: feature, size: count }] });
          const { execution, hits } = await ask(here, asked, { feature: 'tag:odd', explain: true });
          expect(execution).toBe('kept');
          expect(hits).toHaveLength(count);
          hits.forEach(({ productId, explanation }, at) => {
            expect(Number(productId.slice(1)) % 2).toBe(at < count / 2 ? 1 : 0);
            expect(explanation?.boosts.find(({ name }) => name === 'personal')?.factor ?? 1).toBeGreaterThanOrEqual(1);
          });
        }
      });

      it('stay while others are written to, and go when the store itself is', async () => {
        await write(store, bolas(12, 'mine'));
        await write(other, bolas(16, 'theirs'));
        await kept(here, store);
        await kept(there, store);
        await write(other, [{ productId: 'new', name: 'bola' }]);
        await remove(other, 'p1');
        await sleep(KNOWN_MS);
        // A query that is asked for the first time of a state is never answered from kept hits.
        expect((await ask(here, store)).execution).toBe('kept');
        expect((await ask(there, store)).execution).toBe('kept');
        await write(store, [{ productId: 'new', name: 'bola' }]);
        expect(idsOf(await ask(here, store))).toContain('new');
        await remove(store, 'p1');
        expect(idsOf(await ask(here, store))).not.toContain('p1');
        await sleep(KNOWN_MS);
        const elsewhere = idsOf(await ask(there, store));
        expect([elsewhere.includes('new'), elsewhere.includes('p1')]).toEqual([true, false]);
      });

      it('are not those of where the store was, once it moved into an index of its own, and back', async () => {
        await write(store, bolas(OWN_FROM, 'mine'));
        await write(other, bolas(4, 'theirs'));
        const before = bolas(OWN_FROM, 'mine').map(({ productId }) => productId!);
        for (const engine of [here, there]) {
          await kept(engine, store);
          await expectOnly(engine, store, before);
        }
        expect(await isPooled(store)).toBe(true);
        // What is built differs from what served, so that an answer tells which of the two it is of.
        const built = [...bolas(OWN_FROM, 'mine').slice(1), { productId: 'moved', name: 'bola' }];
        const after = built.map(({ productId }) => productId!);
        await here.rebuild(store, 'pt-BR', (fill) => fill(engineProducts(built)));
        await heardOfMove();
        expect(await isPooled(store)).toBe(false);
        // The place it was in is kept for a day, and nobody has to look at the store until then.
        expect(await here.health.due()).not.toContain(store);
        // As versions before noted it.
        const documents = await ElasticDocuments.open(connection, new BulkBatcher(connection));
        await documents.put([{ store: '*', kind: 'search-unsettled', id: store, body: null }]);
        expect(await here.health.due()).toContain(store);
        for (const engine of [here, there]) {
          await expectOnly(engine, store, after);
          await kept(engine, store);
          await expectOnly(engine, store, after);
        }
        expect(await here.before.serveAgain(store)).toBe(true);
        await heardOfMove();
        // It is not moved again at once, which would undo it.
        for (const engine of [here, there]) expect(await engine.status(store)).not.toHaveProperty('grown');
        for (const engine of [here, there]) {
          await expectOnly(engine, store, before);
          await kept(engine, store);
          await expectOnly(engine, store, before);
        }
      });

      it('leave nothing behind in the pool, once the store moved because it had grown', async () => {
        await write(store, bolas(OWN_FROM, 'mine'));
        await write(other, bolas(4, 'theirs'));
        expect([await inPools(store), await inPools(other)]).toEqual([OWN_FROM, 4]);
        const products = engineProducts(bolas(OWN_FROM, 'mine'));
        await here.rebuild(store, 'pt-BR', (fill) => fill(products), { keep: false });
        expect(await isPooled(store)).toBe(false);
        // As the job does that looks once a minute; each look begins what is not under way.
        for (let tries = 0; tries < TRIES && (await inPools(store)) > 0; tries++) {
          await here.before.removeOld(store);
          await sleep(100);
        }
        expect([await inPools(store), await inPools(other)]).toEqual([0, 4]);
      });

      it('are not those of another build in the same pool', async () => {
        await write(store, bolas(6, 'mine'));
        await kept(here, store);
        await kept(there, store);
        const built = bolas(6, 'mine').map((product) => ({ ...product, productId: `${product.productId}x` }));
        await here.rebuild(store, 'pt-BR', (fill) => fill(engineProducts(built)));
        await heardOfMove();
        expect(await isPooled(store)).toBe(true);
        for (const engine of [here, there]) {
          await expectOnly(
            engine,
            store,
            built.map(({ productId }) => productId),
          );
        }
      });
    });
  });
}
