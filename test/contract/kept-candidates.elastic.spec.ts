import { setTimeout as sleep } from 'node:timers/promises';
import { ElasticSearchEngine } from '../../src/engine/adapters/elastic/elastic-search-engine';
import { IndexVersions } from '../../src/engine/adapters/elastic/mapping/index-versions';
import type { QueryPlan } from '../../src/engine/plan/query-plan';
import type { EngineQuery, EngineResult } from '../../src/engine/search-engine';
import { defaultTemplate } from '../../src/ranking/template/template';
import { SystemClock } from '../../src/shared/clock';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { boostsOf } from '../builders/an-engine-document';
import { generatedShop, queriesOf } from '../quality/engines/comparison-shop';
import { EnginePair, scoreMass } from '../quality/engines/engine-pair';
import { dropIndices, openElastic } from '../support/elastic';
import { EngineBench, idsOf } from '../support/engine-bench';
import { describeOn } from '../support/servers';

const NOW = Date.UTC(2026, 0, 15, 12);
const PRODUCTS = 1500;
const QUERIES = 40;
const LOADING_MS = 300_000;
/** Scores of the server are floats with the step of a partial match before the point: of the greatest score, so much is rounding. */
const ROUNDING = 1e-4;
const SEEN_WITHIN_MS = 1000;

/** Asks until the answer is one of kept hits; fails where it never is. */
async function kept(ask: () => Promise<EngineResult>): Promise<EngineResult> {
  for (let tries = 0; tries < 50; tries++) {
    const result = await ask();
    if (result.execution === 'kept') return result;
    await sleep(20);
  }
  throw new Error('The hits were never kept');
}

/** Positions at which two orders have different products, though their scores are further apart than rounding. */
function differing(one: EngineResult, other: EngineResult): string[] {
  const scores = new Map(one.hits.map(({ productId, score, tier }) => [productId, { score, tier }]));
  const greatest = Math.max(...one.hits.map(({ score }) => score));
  return other.hits.flatMap(({ productId }, at) => {
    const here = one.hits[at];
    const there = scores.get(productId);
    if (!here || here.productId === productId) return [];
    const apart = there ? Math.abs(here.score - there.score) / greatest : 1;
    return there?.tier === here.tier && apart <= ROUNDING ? [] : [`${at}: ${here.productId} ${productId} ${apart}`];
  });
}

describeOn('elasticsearch', ({ elasticsearch }) => {
  describe('kept hits beside the other plans', () => {
    let pair: EnginePair;
    let asked: ElasticSearchEngine;

    beforeAll(async () => {
      pair = await EnginePair.open(generatedShop(PRODUCTS, NOW), elasticsearch);
      asked = new ElasticSearchEngine(pair.connection, new SystemClock(), { keptBytes: 0 });
    }, LOADING_MS);
    afterAll(() => pair.close());

    const everyQuery = async (compare: (query: Pick<EngineQuery, 'plan'> & Partial<EngineQuery>) => Promise<void>) => {
      for (const [index, query] of queriesOf(pair.shop, QUERIES, 3).entries()) {
        const plan = await pair.plan(pair.elastic, query, { size: PRODUCTS, facets: ['brand', 'category', 'price'] });
        await compare({ plan, boosts: pair.shop.shoppers[index % pair.shop.shoppers.length]?.boosts ?? null });
      }
    };

    it('are ranked as the embedded engine ranks them, for every shopper', async () => {
      await everyQuery(async (query) => {
        const [here, there] = [
          await kept(() => pair.search(pair.elastic, query)),
          await pair.search(pair.embedded, query),
        ];
        expect(here.total).toBe(there.total);
        expect(JSON.parse(JSON.stringify(here.facets))).toEqual(JSON.parse(JSON.stringify(there.facets)));
        expect(differing(there, here)).toEqual([]);
      });
    });

    it('are ranked as the index ranks them, but for what grouping tastes costs there', async () => {
      await everyQuery(async (query) => {
        const [here, there] = [await kept(() => pair.search(pair.elastic, query)), await pair.search(asked, query)];
        expect(there.execution).toBe('all');
        expect([here.total, here.facets]).toEqual([there.total, there.facets]);
        expect(scoreMass(here.hits, there.hits, 24)).toBeGreaterThan(0.97);
      });
    });

    it('are in the same order where the index computes the formula exactly', async () => {
      const boosts = boostsOf(
        Object.fromEntries(
          pair.shop.products
            .slice(0, 30)
            .flatMap(({ documents }) => documents[0]?.features[0] ?? [])
            .map((feature, index) => [feature, 0.3 + index / 10]),
        ),
      );
      await everyQuery(async ({ plan }) => {
        for (const query of [
          { plan, boosts },
          { plan, boosts: null },
        ]) {
          const [here, there] = [await kept(() => pair.search(pair.elastic, query)), await pair.search(asked, query)];
          expect(differing(there, here)).toEqual([]);
        }
      });
    });
  });

  describe('kept hits', () => {
    let connection: ElasticConnection;
    let bench: EngineBench;
    let engine: ElasticSearchEngine;

    beforeAll(async () => {
      connection = await openElastic(elasticsearch);
      engine = new ElasticSearchEngine(connection, new SystemClock());
      bench = new EngineBench(engine, 5);
    });
    beforeEach(async () => {
      bench.nextStore();
      const ids = Array.from({ length: 60 }, (_, index) => `p${index}`);
      await bench.write(ids.map((productId) => ({ productId, name: `bola ${productId}`, features: ['brand:x'] })));
    });
    afterAll(async () => {
      await dropIndices(connection);
      await connection.close();
    });

    const ask = async (): Promise<EngineResult> => bench.search({ plan: await bench.planFor('bola') });
    const untilSeen = async (isSeen: (ids: string[]) => boolean): Promise<void> => {
      const until = performance.now() + SEEN_WITHIN_MS;
      while (!isSeen(idsOf(await bench.search({ plan: await bench.planFor('bola', { size: 100 }) })))) {
        if (performance.now() > until) throw new Error('It was not seen in time');
        await sleep(10);
      }
    };

    it('are what a query asked again is answered from, and a shopper at once where there are few', async () => {
      expect((await ask()).execution).toBe('neutral');
      expect((await ask()).execution).toBe('kept');
      const plan = await bench.planFor('p7');
      expect((await bench.search({ plan, boosts: boostsOf({ 'brand:x': 1 }) })).execution).toBe('kept');
      expect(engine.executions.count('kept')).toBeGreaterThanOrEqual(2);
    });

    it('ask the index nothing but whether it is the same', async () => {
      await kept(ask);
      const calls = jest.spyOn(connection, 'call');
      try {
        const started = performance.now();
        for (let time = 0; time < 20; time++) expect((await ask()).execution).toBe('kept');
        // Every 100 ms at the most, and once for each search that comes after a pause.
        expect(calls.mock.calls.length).toBeLessThanOrEqual(1 + (performance.now() - started) / 100);
      } finally {
        calls.mockRestore();
      }
    });

    describe('where none are wanted', () => {
      const counted = async (more: Partial<QueryPlan> = {}): Promise<EngineResult> => {
        const wanted: Partial<QueryPlan> = { size: 0, sortBy: 'pid', facets: ['brand', 'category'] };
        return bench.search({ plan: await bench.planFor('bola', { ...wanted, ...more }) });
      };
      const untilKept = async (): Promise<EngineResult> => {
        for (let tries = 0; tries < 50; tries++) {
          const { answered } = engine.kept ?? { answered: 0 };
          const result = await counted();
          if (engine.kept && engine.kept.answered > answered) return result;
        }
        throw new Error('The counts were never kept');
      };

      it('counts are kept, and the index is asked nothing but whether it is the same', async () => {
        const first = await counted();
        expect([first.total, first.hits]).toEqual([60, []]);
        const again = await untilKept();
        expect([again.total, again.hits, again.facets]).toEqual([60, [], first.facets]);
        const calls = jest.spyOn(connection, 'call');
        const started = performance.now();
        try {
          for (let time = 0; time < 20; time++) {
            const { total, hits, facetsName } = await counted({ from: time });
            expect([total, hits, facetsName]).toEqual([60, [], again.facetsName]);
          }
          expect(calls.mock.calls.length).toBeLessThanOrEqual(1 + (performance.now() - started) / 100);
        } finally {
          calls.mockRestore();
        }
      });

      it('they are not taken for the hits of the same query, and are others after a write', async () => {
        await untilKept();
        expect((await kept(ask)).hits.length).toBeGreaterThan(0);
        await bench.write([{ productId: 'new', name: 'bola', features: ['brand:x'] }]);
        expect((await counted()).total).toBe(61);
        expect((await untilKept()).total).toBe(61);
      });

      it('they are kept for those who ask again alone: a shopper has no others than everybody', async () => {
        const before = engine.kept?.answered;
        const plan = await bench.planFor('p9', { size: 0 });
        await bench.search({ plan, boosts: boostsOf({ 'brand:x': 1 }) });
        expect(engine.kept?.answered).toBe(before);
      });

      it('facets that are asked for later take memory, too', async () => {
        await untilKept();
        const before = engine.kept?.bytes ?? 0;
        const one = (await counted({ facets: ['brand', 'category', 'price'] })).facets;
        expect(Object.keys(one)).not.toEqual([]);
        expect(engine.kept?.bytes).toBeGreaterThan(before);
      });
    });

    it('go by what another process wrote and removed within a second', async () => {
      const other = new ElasticSearchEngine(connection, new SystemClock());
      const elsewhere = new EngineBench(other);
      while (elsewhere.store !== bench.store) elsewhere.nextStore();
      await kept(ask);
      await elsewhere.write([{ productId: 'new', name: 'bola' }]);
      await untilSeen((ids) => ids.includes('new'));
      await kept(ask);
      await elsewhere.writeProducts([{ productId: 'new', documents: [] }]);
      await untilSeen((ids) => !ids.includes('new'));
      await kept(ask);
      await other.rebuild(bench.store, 'pt-BR', (write) => write([{ productId: 'p1', documents: [] }]));
      await untilSeen((ids) => ids.length === 0);
    });

    it('are not kept of an index that is no longer what it was known to be, and the search finds what is there', async () => {
      await kept(ask);
      const known = jest.spyOn(IndexVersions.prototype, 'current');
      const plan = await bench.planFor('p7');
      await bench.search({ plan });
      const before = await (known.mock.results.at(-1)?.value as Promise<string>);
      await bench.write([{ productId: 'later', name: 'bola p7' }]);
      known.mockResolvedValue(before);
      try {
        const query = { plan: await bench.planFor('bola p7'), boosts: boostsOf({ 'brand:x': 1 }) };
        for (let time = 0; time < 3; time++) {
          const result = await bench.search(query);
          expect(result.execution).toBe('all');
          expect(idsOf(result)).toContain('later');
        }
      } finally {
        known.mockRestore();
      }
    });

    it('take no more memory than they may', async () => {
      const narrow = new ElasticSearchEngine(connection, new SystemClock(), { keptBytes: 60_000 });
      const plans = await Promise.all(
        Array.from({ length: 30 }, (_, index) => bench.planFor(index % 3 === 0 ? 'bola' : `p${index}`)),
      );
      for (const plan of plans) {
        for (let time = 0; time < 3; time++) {
          const query = { plan, template: defaultTemplate, boosts: null, explain: false };
          expect(idsOf(await narrow.search(query))).toEqual(idsOf(await engine.search(query)));
          expect(narrow.kept?.bytes).toBeLessThanOrEqual(60_000);
        }
      }
    });
  });
});
