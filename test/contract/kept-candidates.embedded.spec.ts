import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedSearchEngine } from '../../src/engine/adapters/embedded/embedded-search-engine';
import { SearchThread } from '../../src/engine/adapters/embedded/thread/search-thread';
import { personalWindow } from '../../src/engine/plan/personal-window';
import type { QueryPlan } from '../../src/engine/plan/query-plan';
import type { EngineQuery } from '../../src/engine/search-engine';
import { defaultTemplate } from '../../src/ranking/template/template';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { compiled } from '../../src/storage/threads';
import { boostsOf } from '../builders/an-engine-document';
import { generatedShop, queriesOf } from '../quality/engines/comparison-shop';
import { EngineBench, idsOf } from '../support/engine-bench';

const NOW = Date.UTC(2026, 0, 15, 12);
/** More hits than are all ranked personally. */
const PRODUCTS = personalWindow.above + 500;
const AT_ONCE = 500;
const QUERIES = 20;
const PATIENT_MS = 60_000;
const LOADING_MS = 300_000;

describe('kept hits of the embedded engine', () => {
  const shop = generatedShop(PRODUCTS, NOW);
  let folder: string;
  let database: EmbeddedDatabase;
  let keeping: EngineBench;
  let asked: EngineBench;
  const engines: EmbeddedSearchEngine[] = [];
  let plans: QueryPlan[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-kept-'));
    database = await EmbeddedDatabase.open(folder, [compiled('engine/adapters/embedded/index/engine.commands')]);
    const open = async (setup: { keptBytes?: number }): Promise<EngineBench> => {
      const thread = new SearchThread({ path: database.path, ...setup }, PATIENT_MS);
      const engine = await EmbeddedSearchEngine.open(database, { thread });
      engines.push(engine);
      return new EngineBench(engine);
    };
    keeping = await open({});
    asked = await open({ keptBytes: 0 });
    for (let from = 0; from < PRODUCTS; from += AT_ONCE) {
      await keeping.engine.write(keeping.store, shop.language, shop.products.slice(from, from + AT_ONCE));
    }
    await keeping.engine.setTrend(keeping.store, shop.trend);
    const page: Partial<QueryPlan> = {
      now: NOW,
      language: shop.language,
      size: 24,
      facets: ['brand', 'category', 'price'],
    };
    plans = await Promise.all(
      queriesOf(shop, QUERIES, 3).map(({ terms }) =>
        terms === null ? keeping.plan(page) : keeping.planFor(terms, page),
      ),
    );
    plans.push(keeping.plan(page));
  }, LOADING_MS);
  afterAll(async () => {
    await Promise.all(engines.map((engine) => engine.close()));
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const executionsOfBoth = async (query: Partial<EngineQuery>): Promise<string[]> => {
    const [here, there] = [await keeping.search(query), await asked.search(query)];
    expect({ ...here, execution: '' }).toEqual({ ...there, execution: '' });
    return [here.execution, there.execution];
  };

  it(
    'are the same hits with the same scores and facets, for every shopper, page and template',
    async () => {
      const strong = { ...defaultTemplate, maxQuality: 2 };
      const seen = new Set<string>();
      for (const [index, plan] of plans.entries()) {
        const of = (number: number) => shop.shoppers[(index + number) % shop.shoppers.length]?.boosts ?? null;
        const queries: Partial<EngineQuery>[] = [
          { plan, boosts: of(0) },
          { plan, boosts: of(1) },
          { plan: { ...plan, from: 24, size: 48 }, boosts: of(1) },
          { plan, boosts: null },
          { plan: { ...plan, from: personalWindow.size - 10 }, boosts: of(2) },
          { plan, boosts: of(2), template: strong },
          { plan, boosts: of(3), template: strong },
          { plan: { ...plan, sortBy: 'descPrice' as const }, boosts: of(3) },
          { plan: { ...plan, now: NOW + 40 * 86_400_000 }, boosts: of(3) },
          { plan, boosts: of(0), explain: true },
        ];
        for (const query of queries) {
          const executions = await executionsOfBoth(query);
          for (const execution of executions) seen.add(execution);
          expect(executions[1]).not.toBe('kept');
        }
      }
      expect([...seen].sort()).toEqual(['all', 'kept', 'neutral', 'sorted', 'window']);
    },
    LOADING_MS,
  );

  it('are no longer used once a product was written, removed or became popular', async () => {
    const { store, engine } = keeping;
    const find = (): Partial<EngineQuery> => ({
      plan: keeping.plan({ now: NOW, size: 5 }),
      boosts: boostsOf({ 'brand:x': 1 }),
    });
    const warm = async (): Promise<void> => {
      await executionsOfBoth(find());
      expect(await executionsOfBoth(find())).toEqual(['kept', 'window']);
    };
    await warm();
    const [first = ''] = idsOf(await keeping.search(find()));
    await engine.write(store, shop.language, [{ productId: first, documents: [] }]);
    expect(await executionsOfBoth(find())).toEqual(['window', 'window']);
    expect(idsOf(await keeping.search(find()))).not.toContain(first);
    await warm();
    const last = shop.products.at(-1)?.productId ?? '';
    await engine.setTrend(store, [[last, 1000]]);
    expect(await executionsOfBoth(find())).toEqual(['window', 'window']);
    await warm();
  });
});
