import { engineProducts } from '../builders/an-engine-document';
import type { EngineProduct } from '../../src/engine/search-engine';
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
    const writeNow = (products: EngineProduct[]): Promise<void> =>
      bench().engine.write(bench().store, 'pt-BR', products);
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
      const { engine, store } = bench();
      await engine.setTrend(store, [
        ['p050', 9],
        ['p060', 9],
      ]);
      await rebuild(named('mesa', 1), async (page) => {
        if (page === 1) await engine.setTrend(store, [['p060', 20]]);
        if (page === 3) await engine.setTrend(store, [['p070', 5]]);
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
