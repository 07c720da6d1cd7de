import { setTimeout as sleep } from 'node:timers/promises';
import { engineProducts } from '../builders/an-engine-document';
import { SystemClock } from '../../src/shared/clock';
import { ElasticSearchEngine } from '../../src/engine/adapters/elastic/elastic-search-engine';
import type { IndexBuildTimes } from '../../src/engine/adapters/elastic/mapping/index-build';
import { familyKey } from '../../src/engine/facets';
import type { FillIndex } from '../../src/engine/search-engine';
import { indexDefinition } from '../../src/storage/elastic/index-definition';
import { type ElasticConnection, LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';
import { dropIndices, openElastic } from '../support/elastic';
import { IndexMemory } from '../../src/engine/adapters/elastic/mapping/index-memory';
import { EngineBench } from '../support/engine-bench';
import { describeOn } from '../support/servers';

const TIMES = { knownMs: 200, graceMs: 0 };
const LONG_AGO = 0;

/** A door somebody waits at until it is opened. */
function door(): { opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** Remembers the indices of one store. */
class MemoryOfOne extends IndexMemory {
  private uuids: string[] | null = null;

  override async of(): Promise<readonly string[] | null> {
    return this.uuids;
  }

  override async add(_store: string, uuid: string): Promise<void> {
    this.uuids = [uuid, ...(this.uuids ?? [])];
  }

  override async forget(): Promise<void> {
    this.uuids = null;
  }

  override async all(): Promise<Map<string, readonly string[]>> {
    return new Map(this.uuids ? [['*', this.uuids]] : []);
  }
}

for (const kind of ['elasticsearch', 'opensearch'] as const) {
  describeOn(kind, (urls) =>
    describe('the indices of a store', () => {
      let connection: ElasticConnection;
      let bench: EngineBench;

      const replica = (times: Partial<IndexBuildTimes> = {}): ElasticSearchEngine =>
        new ElasticSearchEngine(connection, new SystemClock(), { ...TIMES, ...times });
      const indices = async (): Promise<Record<string, string[]>> => {
        const index = connection.index(`products-${bench.store}-*`);
        const found = await connection.call(
          (client, options) => client.indices.getAlias({ index }, options),
          LONG_TIMEOUT,
        );
        const start = connection.index(`products-${bench.store}`).length;
        // Until when one is kept does not matter here.
        const short = (name: string): string => name.slice(start).replace(/-kept-\d+$/, '-kept');
        return Object.fromEntries(
          Object.entries(found).map(([name, { aliases }]) => [short(name), Object.keys(aliases).map(short).sort()]),
        );
      };
      const until = async (wanted: Record<string, string[]>): Promise<void> => {
        for (let tries = 0; tries < 100; tries++) {
          if (JSON.stringify(await indices()) === JSON.stringify(wanted)) return;
          await sleep(50);
        }
        expect(await indices()).toEqual(wanted);
      };
      const fillWith =
        (name: string, wait: Promise<void> = Promise.resolve()): FillIndex =>
        async (write) => {
          await write(engineProducts([{ productId: 'a', name }]));
          await wait;
          await write(engineProducts([{ productId: 'b', name }]));
        };
      const write = async (engine: ElasticSearchEngine, id: string, name: string, version = 1): Promise<void> => {
        await engine.write(bench.store, 'pt-BR', engineProducts([{ productId: id, name, version }]));
        await engine.searchable(bench.store);
      };

      beforeAll(async () => {
        connection = await openElastic(urls[kind]);
        bench = new EngineBench(replica());
      });
      beforeEach(() => bench.nextStore());
      afterAll(async () => {
        await dropIndices(connection);
        await connection.close();
      });

      it('are one and the one before, whatever their numbers, once nobody can be reading what was before that', async () => {
        await bench.write([{ productId: 'a', name: 'mesa' }]);
        expect(await indices()).toEqual({ '-000001': [''] });
        await bench.engine.rebuild(bench.store, 'pt-BR', fillWith('mesa'));
        await until({ '-000001': ['-kept'], '-000002': [''] });
        const slow = replica({ graceMs: 60_000 });
        await slow.rebuild(bench.store, 'pt-BR', fillWith('mesa'));
        expect(await indices()).toEqual({ '-000001': [], '-000002': ['-kept'], '-000003': [''] });
        // The process that was to delete it ended; another one writes.
        await write(replica(), 'c', 'mesa');
        await until({ '-000002': ['-kept'], '-000003': [''] });
      });

      it('are written by every replica while one of them is being built', async () => {
        const [replicaA, replicaB] = [replica(), replica()];
        await write(replicaA, 'a', 'mesa');
        await write(replicaB, 'b', 'mesa');
        // As the catalog does it: recorded first, then indexed; and what fills reads records when it is called.
        const records = ['a', 'b'];
        const writes = new AbortController();
        const writing = (async () => {
          for (let number = 0; !writes.signal.aborted; number++) {
            records.push(`n${number}`);
            await write(replicaB, `n${number}`, 'sofa');
          }
        })();
        /** Until so many more are recorded: all but the last of them are written by then. */
        const more = async (count: number): Promise<void> => {
          for (const wanted = records.length + count; records.length < wanted;) await sleep(10);
        };
        await replicaA.rebuild(bench.store, 'pt-BR', async (fill) => {
          const all = engineProducts(records.map((productId) => ({ productId, name: 'mesa' })));
          await fill(all);
          await more(4);
        });
        const before = records.length;
        await more(4);
        writes.abort();
        await writing;
        expect(records.length).toBeGreaterThan(before);
        expect((await bench.search()).total).toBe(records.length);
      });

      it('are those of the last one who began: what a worker that was taken for dead has built is never switched to', async () => {
        await write(replica(), 'a', 'mesa');
        const woken = door();
        const begun = door();
        const taken = replica().rebuild(bench.store, 'pt-BR', async (fill) => {
          await fill(engineProducts([{ productId: 'a', name: 'cama' }]));
          begun.open();
          await woken.opened;
        });
        const outcome = taken.then(
          () => 'switched to',
          () => 'gone',
        );
        await begun.opened;
        await replica().rebuild(bench.store, 'pt-BR', async (fill) => {
          await fill(engineProducts([{ productId: 'a', name: 'mesa' }]));
          woken.open();
          expect(await outcome).toBe('gone');
          await fill(engineProducts([{ productId: 'b', name: 'mesa' }]));
        });
        expect((await bench.search()).total).toBe(2);
        expect(await bench.find('cama')).toEqual([]);
        await until({ '-000001': ['-kept'], '-000003': [''] });
      });

      it('are fewer when the next rebuild finds one that was left half-built', async () => {
        await write(replica(), 'a', 'mesa');
        const forever = new Promise<void>(() => undefined);
        const died = door();
        void replica().rebuild(bench.store, 'pt-BR', async (fill) => {
          await fill(engineProducts([{ productId: 'a', name: 'cama' }]));
          died.open();
          await forever;
        });
        await died.opened;
        expect(await indices()).toEqual({ '-000001': [''], '-000002': ['-000002-filling', '-growing'] });
        await bench.engine.rebuild(bench.store, 'pt-BR', fillWith('mesa'));
        expect((await bench.search()).total).toBe(2);
        await until({ '-000001': ['-kept'], '-000003': [''] });
      });

      it('are fewer after a write, too, when one was left half-built long ago', async () => {
        await write(replica(), 'a', 'mesa');
        const died = door();
        const forever = new Promise<void>(() => undefined);
        void replica().rebuild(bench.store, 'pt-BR', async () => {
          died.open();
          await forever;
        });
        await died.opened;
        await write(replica({ longestBuildMs: LONG_AGO }), 'b', 'mesa');
        await until({ '-000001': [''] });
      });

      it('that an older version made take what this one writes, and are outdated until they are made anew', async () => {
        const { settings, mappings } = indexDefinition('products');
        const added = ['specs', 'specEntries', 'discountPercent'];
        const older = Object.entries(mappings.properties ?? {}).filter(([name]) => !added.includes(name));
        const alias = connection.index(`products-${bench.store}`);
        const index = `${alias}-000001`;
        const old = {
          ...mappings,
          _meta: { schema: mappings._meta.schema - 1 },
          properties: Object.fromEntries(older),
        };
        await connection.call(
          (client, options) =>
            client.indices.create({ index, settings, mappings: old, aliases: { [alias]: {} } }, options),
          LONG_TIMEOUT,
        );
        const engine = replica();
        const size = { key: familyKey('size', 'M'), id: 'M', label: 'M', facet: 'size' };
        const products = engineProducts([{ productId: 'a', specs: [size], price: 8, oldPrice: 10 }]);
        await engine.write(bench.store, 'pt-BR', products);
        await engine.searchable(bench.store);
        const filters = [{ kind: 'spec.size' as const, keys: ['m'] }];
        expect((await bench.search({ plan: bench.plan({ filters, facets: ['spec.*', 'discount'] }) })).total).toBe(1);
        expect((await engine.status(bench.store)).outdated).toBe(true);
        await engine.rebuild(bench.store, 'pt-BR', (fill) => fill(products));
        expect(await engine.status(bench.store)).toMatchObject({ documents: 1, outdated: false });
      });

      it('that were lost are made anew beside writes, which are answered and found', async () => {
        const memory = new MemoryOfOne();
        const engine = new ElasticSearchEngine(connection, new SystemClock(), { ...TIMES, memory });
        await write(engine, 'a', 'mesa');
        const [lost = ''] = Object.keys(await indices());
        const index = `${connection.index(`products-${bench.store}`)}${lost}`;
        await connection.call((client, options) => client.indices.delete({ index }, options), LONG_TIMEOUT);
        const other = new ElasticSearchEngine(connection, new SystemClock(), { ...TIMES, memory });
        await other.rebuild(bench.store, 'pt-BR', async (fill) => {
          await fill(engineProducts([{ productId: 'a', name: 'mesa' }]));
          await write(other, 'b', 'mesa');
        });
        expect((await bench.search()).hits.map(({ productId }) => productId)).toEqual(['a', 'b']);
      });

      it('are gone with the store, also while they are being built', async () => {
        await write(replica(), 'a', 'mesa');
        const engine = replica();
        const rebuilt = engine.rebuild(bench.store, 'pt-BR', async (fill) => {
          await bench.engine.removeStore(bench.store);
          await fill(engineProducts([{ productId: 'a', name: 'mesa' }]));
        });
        await expect(rebuilt).rejects.toThrow('no such index');
        expect(await indices()).toEqual({});
      });
    }),
  );
}
