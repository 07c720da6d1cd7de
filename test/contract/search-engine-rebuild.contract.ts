import { aPlanFor, engineProducts } from '../builders/an-engine-document';
import type { QueryPlan } from '../../src/engine/plan/query-plan';
import { type CheckIndex, type EngineProduct, type EngineQuery, INDEX_KEPT_MS } from '../../src/engine/search-engine';
import { defaultTemplate } from '../../src/ranking/template/template';
import { type EngineBench, idsOf } from '../support/engine-bench';

const PRODUCTS = 120;
const A_PAGE = 20;

const named = (name: string, version: number): EngineProduct[] =>
  Array.from({ length: PRODUCTS }, (_, index) =>
    engineProducts([{ productId: `p${String(index).padStart(3, '0')}`, name, version }]),
  ).flat();

function pagesOf(products: EngineProduct[]): EngineProduct[][] {
  return Array.from({ length: Math.ceil(products.length / A_PAGE) }, (_, page) =>
    products.slice(page * A_PAGE, (page + 1) * A_PAGE),
  );
}

/** An index made anew while it is searched and written to. */
export function describeRebuild(bench: () => EngineBench): void {
  describe('rebuilding', () => {
    const rebuild = (
      products: EngineProduct[],
      between: (page: number) => Promise<void> = async () => undefined,
    ): Promise<void> =>
      bench().engine.rebuild(bench().store, 'pt-BR', async (write) => {
        for (const [page, own] of pagesOf(products).entries()) {
          await write(own);
          await between(page);
        }
      });
    const writeNow = (products: EngineProduct[]): Promise<void> => bench().writeProducts(products);
    const removed = (productId: string, version: number): EngineProduct => ({ productId, version, documents: [] });

    it('finds every product throughout, and as it was written anew when it is done', async () => {
      await writeNow(named('mesa', 1));
      const totals: number[] = [];
      const searches = new AbortController();
      const searching = async (): Promise<void> => {
        while (!searches.signal.aborted) totals.push((await bench().search()).total);
      };
      const ended = Promise.all([searching(), searching()]);
      await rebuild(named('cadeira', 1));
      searches.abort();
      await ended;
      expect([...new Set(totals)]).toEqual([PRODUCTS]);
      expect((await bench().find('cadeira')).length).toBe(24);
      expect(await bench().find('mesa')).toEqual([]);
    });

    it('keeps what is written meanwhile, before and after it comes to the same product', async () => {
      await writeNow(named('mesa', 1));
      await rebuild(named('mesa', 1), async (page) => {
        if (page !== 2) return;
        await writeNow([
          ...engineProducts([
            { productId: 'p001', name: 'sofa', version: 2 },
            { productId: 'p110', name: 'sofa', version: 3 },
            { productId: 'new', name: 'sofa', version: 4 },
          ]),
          removed('p002', 5),
          removed('p111', 6),
        ]);
      });
      expect((await bench().find('sofa')).sort()).toEqual(['new', 'p001', 'p110']);
      expect(await bench().engine.status(bench().store)).toMatchObject({ documents: PRODUCTS - 1, version: 6 });
    });

    it('keeps the learned popularity, and what is learned meanwhile', async () => {
      await writeNow(named('mesa', 1));
      await bench().setTrend([
        ['p050', 9],
        ['p060', 9],
      ]);
      await rebuild(named('mesa', 1), async (page) => {
        if (page === 1) await bench().setTrend([['p060', 20]]);
        if (page === 3) await bench().setTrend([['p070', 5]]);
      });
      expect(idsOf(await bench().search({})).slice(0, 3)).toEqual(['p060', 'p050', 'p070']);
    });

    it('leaves the index as usable as before where filling it fails, and succeeds the next time', async () => {
      await writeNow(named('mesa', 1));
      const failure = rebuild(named('mesa', 1), async (page) => {
        if (page === 2) throw new Error('cancelled');
      });
      await expect(failure).rejects.toThrow('cancelled');
      expect((await bench().search()).total).toBe(PRODUCTS);
      await writeNow(engineProducts([{ productId: 'new', name: 'sofa', version: 2 }]));
      expect(await bench().find('sofa')).toEqual(['new']);
      await rebuild([...named('cama', 1), ...engineProducts([{ productId: 'new', name: 'sofa', version: 2 }])]);
      await rebuild([...named('estante', 1), ...engineProducts([{ productId: 'new', name: 'sofa', version: 2 }])]);
      expect((await bench().search({ plan: await bench().planFor('estante') })).total).toBe(PRODUCTS);
      expect(await bench().find('sofa')).toEqual(['new']);
    });

    describe('with a check', () => {
      const anew = (check: CheckIndex, products = named('cadeira', 1)): Promise<void> =>
        bench().engine.rebuild(bench().store, 'pt-BR', (write) => write(products), { check });
      const query = (plan: QueryPlan): EngineQuery => ({
        plan,
        template: defaultTemplate,
        boosts: null,
        explain: false,
      });

      it('shows what was made, its words too, while searches find what they found before', async () => {
        await writeNow(named('mesa', 1));
        const seen: unknown[] = [];
        await anew(async (built) => {
          const words = { words: [{ word: 'cadeira', stem: 'cadeira', correct: false }] };
          seen.push((await built.words(words))[0]?.documents, (await bench().find('mesa')).length);
          const plan = await aPlanFor({ words: (_store, asked) => built.words(asked) }, 'cadeira', {
            store: bench().store,
          });
          const found = await built.search(query(plan));
          seen.push(found.total, idsOf(found).slice(0, 2));
        });
        expect(seen).toEqual([PRODUCTS, 24, PRODUCTS, ['p000', 'p001']]);
        expect((await bench().find('cadeira')).length).toBe(24);
      });

      it('that fails leaves everything as it was, and nothing to go back to', async () => {
        await writeNow(named('mesa', 1));
        const before = await bench().find('mesa');
        const failure = anew(async () => {
          await writeNow(engineProducts([{ productId: 'new', name: 'sofa', version: 2 }]));
          throw new Error('not as it should be');
        });
        await expect(failure).rejects.toThrow('not as it should be');
        expect(await bench().find('mesa')).toEqual(before);
        expect(await bench().find('sofa')).toEqual(['new']);
        expect(await bench().engine.before.serveAgain(bench().store)).toBe(false);
      });
    });

    describe('and going back', () => {
      it('serves the index before, in its order, with everything that was written since', async () => {
        await writeNow(named('mesa', 1));
        const order = await bench().find('mesa');
        await rebuild(named('cadeira', 1), async (page) => {
          if (page === 1) await writeNow(engineProducts([{ productId: 'during', name: 'sofa', version: 2 }]));
        });
        await writeNow([...engineProducts([{ productId: 'after', name: 'sofa', version: 3 }]), removed('p119', 4)]);
        await bench().setTrend([['after', 7]]);
        expect(await bench().engine.before.serveAgain(bench().store)).toBe(true);
        expect(await bench().find('mesa')).toEqual(order);
        expect(await bench().find('cadeira')).toEqual([]);
        expect(await bench().find('sofa')).toEqual(['after', 'during']);
        expect(await bench().engine.status(bench().store)).toMatchObject({ documents: PRODUCTS + 1, outdated: false });
      });

      it('happens once: the index it went back from is gone, and writes go on', async () => {
        await writeNow(named('mesa', 1));
        const { engine, store } = bench();
        expect(await engine.before.serveAgain(store)).toBe(false);
        await rebuild(named('cadeira', 1));
        expect(await engine.before.serveAgain(store)).toBe(true);
        expect(await engine.before.serveAgain(store)).toBe(false);
        await engine.before.removeOld(store);
        await writeNow(engineProducts([{ productId: 'new', name: 'sofa', version: 2 }]));
        expect(await bench().find('sofa')).toEqual(['new']);
        await rebuild([...named('cama', 1), ...engineProducts([{ productId: 'new', name: 'sofa', version: 2 }])]);
        expect((await bench().find('cama')).length).toBe(24);
      });

      it('is to nothing where the index before was not to be kept', async () => {
        await writeNow(named('mesa', 1));
        const { engine, store } = bench();
        await engine.rebuild(store, 'pt-BR', (write) => write(named('cadeira', 1)), { keep: false });
        await writeNow(engineProducts([{ productId: 'new', name: 'sofa', version: 2 }]));
        expect(await engine.before.serveAgain(store)).toBe(false);
        expect((await bench().find('cadeira')).length).toBe(24);
        expect(await bench().find('sofa')).toEqual(['new']);
      });

      it('is to the last index alone, for a day', async () => {
        await writeNow(named('mesa', 1));
        const { engine, store } = bench();
        await rebuild(named('cadeira', 1));
        await rebuild(named('cama', 1));
        await engine.before.removeOld(store);
        expect(await engine.before.serveAgain(store)).toBe(true);
        expect((await bench().find('cadeira')).length).toBe(24);
        await rebuild(named('estante', 1));
        bench().advance(INDEX_KEPT_MS);
        expect(await engine.before.serveAgain(store)).toBe(false);
        await engine.before.removeOld(store);
        await writeNow(engineProducts([{ productId: 'new', name: 'sofa', version: 2 }]));
        expect(await bench().find('sofa')).toEqual(['new']);
        expect((await bench().find('estante')).length).toBe(24);
      });
    });

    it('makes the index of a store that nothing was written of', async () => {
      await rebuild(named('mesa', 1));
      expect(await bench().engine.status(bench().store)).toMatchObject({
        documents: PRODUCTS,
        version: 1,
        outdated: false,
      });
    });
  });
}
