import { boostsOf, type DocumentSpec, engineProducts } from '../builders/an-engine-document';
import type { EngineQuery, EngineResult } from '../../src/engine/search-engine';
import { type EngineBench, idsOf } from '../support/engine-bench';

const LETTERS = [...'abcdefghijkl'];
const BOLAS: DocumentSpec[] = LETTERS.map((productId, index) => ({
  productId,
  name: index % 3 === 0 ? 'bola' : `bola ${productId}`,
  brand: { key: index % 2 === 0 ? 'even' : 'odd', label: index % 2 === 0 ? 'Even' : 'Odd' },
  features: [`brand:${index % 2 === 0 ? 'even' : 'odd'}`, 'category:ball'],
}));
/** Of those whose whole name is asked for, d and j are odd. */
const ODD = boostsOf({ 'brand:odd': 1, 'product:l': 2 });
const TIMES = 4;

/** Engines may keep what they found for the same query: whatever they keep, the answer is that of the index as it is now. */
export function describeAgain(bench: () => EngineBench): void {
  describe('the same search again', () => {
    const ask = async (query: Partial<EngineQuery> = {}, terms = 'bola'): Promise<EngineResult> =>
      bench().search({ plan: await bench().planFor(terms, { facets: ['brand'] }), ...query });
    const again = async (query: Partial<EngineQuery> = {}): Promise<EngineResult[]> => {
      const results: EngineResult[] = [];
      for (let time = 0; time < TIMES; time++) results.push(await ask(query));
      return results;
    };

    it('finds the same, in the order of whoever asks', async () => {
      await bench().write(BOLAS);
      for (const boosts of [null, ODD, null]) {
        const [first, ...others] = await again({ boosts });
        for (const other of others) {
          expect(idsOf(other)).toEqual(idsOf(first!));
          expect([other.total, other.facets]).toEqual([first!.total, first!.facets]);
          other.hits.forEach(({ score }, at) => expect(score).toBeCloseTo(first!.hits[at]!.score, bench().digits));
        }
      }
      expect(idsOf((await again({ boosts: ODD })).at(-1)!)[0]).toBe('d');
      expect(idsOf((await again()).at(-1)!)[0]).toBe('a');
    });

    it('names the same facets alone by the same name, and names those that it keeps', async () => {
      await bench().write(BOLAS);
      const plan = await bench().planFor('bola', { facets: ['brand'] });
      const asked: Partial<EngineQuery>[] = [
        { plan },
        { plan: { ...plan, facets: ['brand', 'price'] } },
        { plan: { ...plan, mostValues: 1 } },
        { plan: { ...plan, channels: ['other'] } },
      ];
      const byName = new Map<string, EngineResult['facets']>();
      const names: string[] = [];
      for (let written = 0; written < 2; written++) {
        for (const query of [...asked, ...asked, ...asked]) {
          const { facets, facetsName } = await bench().search(query);
          if (facetsName === undefined) continue;
          names.push(facetsName);
          expect(facets).toEqual(byName.get(facetsName) ?? facets);
          byName.set(facetsName, facets);
        }
        await bench().write([{ productId: 'new', name: 'bola', brand: { key: 'new', label: 'New' } }]);
      }
      expect(names.length).toBeGreaterThan(byName.size);
    });

    it('finds what was written since, and no longer what was removed', async () => {
      await bench().write(BOLAS);
      for (const boosts of [null, ODD]) {
        await again({ boosts });
        await bench().write([{ productId: 'new', name: 'bola', features: ['brand:odd'] }]);
        expect(idsOf(await ask({ boosts }))).toContain('new');
        await again({ boosts });
        await bench().writeProducts([{ productId: 'new', documents: [] }]);
        const { total, hits } = await ask({ boosts });
        expect([total, idsOf({ hits } as EngineResult).includes('new')]).toEqual([LETTERS.length, false]);
      }
    });

    it('finds what was written once it is searchable', async () => {
      const { engine, store } = bench();
      await bench().write(BOLAS);
      await again();
      await engine.write(store, 'pt-BR', engineProducts([{ productId: 'later', name: 'bola' }]));
      await engine.setTrend(store, [['later', 40]]);
      await engine.searchable(store);
      expect((await ask()).total).toBe(LETTERS.length + 1);
      expect(idsOf(await ask())[0]).toBe('later');
    });

    it('goes by what products are now: their names, features and popularity', async () => {
      await bench().write(BOLAS);
      await again({ boosts: ODD });
      await bench().write([{ ...BOLAS[0], productId: 'a', version: 2, features: ['brand:odd'] }]);
      expect(idsOf(await ask({ boosts: boostsOf({ 'brand:odd': 5 }) }))[0]).toBe('a');
      await again();
      await bench().setTrend([['j', 40]]);
      expect(idsOf(await ask())[0]).toBe('j');
      await bench().write([{ ...BOLAS[9], productId: 'j', version: 2, name: 'caneta' }]);
      expect(idsOf(await ask())).not.toContain('j');
    });

    it('is of the store that there is', async () => {
      await bench().write(BOLAS);
      await again();
      await bench().engine.rebuild(bench().store, 'pt-BR', (write) =>
        write([{ productId: 'z', documents: [] }]).then(() => undefined),
      );
      expect((await ask()).total).toBe(0);
      await bench().engine.removeStore(bench().store);
      await bench().write(BOLAS.slice(0, 2));
      await again();
      expect(idsOf(await ask()).sort()).toEqual(['a', 'b']);
    });

    it('neither repeats nor drops a product over pages', async () => {
      await bench().write(BOLAS);
      const plan = await bench().planFor('bola');
      const pages: string[] = [];
      for (let from = 0; from < LETTERS.length; from += 5) {
        pages.push(...idsOf(await bench().search({ plan: { ...plan, from, size: 5 }, boosts: ODD })));
      }
      const whole = await bench().search({ plan: { ...plan, size: 50 }, boosts: ODD });
      expect(pages).toEqual(idsOf(whole));
      expect(pages.toSorted()).toEqual(LETTERS);
    });

    it('is explained as it is ordered', async () => {
      await bench().write(BOLAS);
      for (const { hits } of await again({ boosts: ODD, explain: true })) {
        for (const { score, explanation } of hits) {
          const { text = 0, boosts = [] } = explanation ?? {};
          const product = boosts.reduce((all, { factor }) => all * factor, text);
          expect(Math.abs(product - score)).toBeLessThanOrEqual(0.01 * score);
        }
        expect(hits[0]?.explanation?.boosts.find(({ name }) => name === 'personal')?.factor).toBeGreaterThan(1);
      }
    });
  });
}
