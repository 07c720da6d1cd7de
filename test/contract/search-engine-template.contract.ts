import { boostsOf, type DocumentSpec } from '../builders/an-engine-document';
import { mergePatch } from '../../src/ranking/template/merge-patch';
import { type BoostTemplate, boostTemplateSchema, defaultTemplate } from '../../src/ranking/template/template';
import type { EngineQuery, EngineResult } from '../../src/engine/search-engine';
import { type EngineBench, idsOf } from '../support/engine-bench';

const brand = (label: string) => ({ key: label, label });

/** Two products that differ in everything an engine reads of a template. */
const TWO: DocumentSpec[] = [
  {
    productId: 'a',
    name: 'bola azul grande',
    tags: 'azul',
    description: 'bola de praia azul para toda a familia',
    brand: brand('azul'),
    categories: [{ key: 'azul', id: '1', label: 'Azul', parent: null }],
    skus: 'azul',
    oldPrice: 200,
    created: Date.UTC(2026, 0, 14),
    rating: { average: 5, count: 50 },
    features: ['brand:azul'],
  },
  { productId: 'b', name: 'azul', available: false, features: ['brand:b'] },
];

/** `given`: what it takes for the change to matter. */
type Change = { given?: object } & Readonly<Record<string, unknown>>;

/** Every setting that an engine itself reads, changed. The others act where boosts are made (src/ranking). */
const CHANGES: Record<string, Change> = {
  maxQuality: { maxQuality: 1 },
  'fields.name': { fields: { name: 1 } },
  'fields.brand': { fields: { brand: 50 } },
  'fields.categories': { fields: { categories: 50 } },
  'fields.tags': { fields: { tags: 50 } },
  'fields.skus': { fields: { skus: 50 } },
  'fields.description': { fields: { description: 50 } },
  'text.k1': { text: { k1: 4 }, given: { text: { b: { name: 1 } } } },
  'text.b': { text: { b: { name: 1 } } },
  'signals.trend': { signals: { trend: { exponent: 0.5 } } },
  'signals.rating': { signals: { rating: { weight: 1 } } },
  'signals.freshness': { signals: { freshness: { weight: 2 } } },
  'signals.freshness.halfLife': { signals: { freshness: { halfLife: '1d' } } },
  'signals.availability': { signals: { availability: { unavailable: 1 } } },
  'signals.discount': { signals: { discount: { weight: 2 } } },
};

const changed = (change: object): BoostTemplate => boostTemplateSchema.parse(mergePatch(defaultTemplate, change));

/** What a template says acts, in the score and in its explanation alike. */
export function describeTemplate(bench: () => EngineBench): void {
  describe('a boost template', () => {
    it.each(Object.entries(CHANGES))('acts by its %s', async (_name, { given = {}, ...change }) => {
      await bench().write(TWO);
      await bench().setTrend([['a', 20]]);
      const plan = await bench().planFor('azul');
      const scores = async (template: BoostTemplate): Promise<number[]> => {
        const { hits } = await bench().search({ plan, template, explain: true });
        return hits
          .toSorted((a, b) => (a.productId < b.productId ? -1 : 1))
          .map(({ score, explanation }) => {
            expect(Math.abs((explanation?.score ?? 0) / score - 1)).toBeLessThan(0.001);
            return score;
          });
      };
      const [before, after] = [
        await scores(changed(given)),
        await scores(changed(mergePatch(given, change) as object)),
      ];
      expect(after).toHaveLength(2);
      expect(after.some((score, index) => Math.abs(score / (before[index] ?? 0) - 1) > 0.01)).toBe(true);
    });

    it('that searches no description finds nothing there', async () => {
      await bench().write(TWO);
      const plan = await bench().planFor('praia');
      expect(idsOf(await bench().search({ plan }))).toEqual(['a']);
      expect(idsOf(await bench().search({ plan, template: changed({ fields: { description: 0 } }) }))).toEqual([]);
    });

    describe('with a share of one brand', () => {
      const template = changed({ maxShare: 0.25 });
      const boosts = boostsOf({ 'brand:x': 0.5, 'brand:y': 0.2 });
      const many = (name: string, count: number): DocumentSpec[] =>
        Array.from({ length: count }, (_, index) => ({
          productId: `${name}${String(index).padStart(3, '0')}`,
          name: 'bola',
          brand: name === 'n' ? null : brand(name),
          features: name === 'n' ? [] : [`brand:${name}`],
        }));
      const search = (query: Partial<EngineQuery> & { from?: number; size?: number }): Promise<EngineResult> => {
        const { from = 0, size = 24, ...rest } = query;
        return bench().search({ template, boosts, plan: bench().plan({ from, size }), ...rest });
      };

      it('lets others stand in front of what is too much, on every page and with reasons', async () => {
        await bench().write([...many('x', 30), ...many('y', 30), ...many('n', 5), ...many('z', 3)]);
        const free = idsOf(await search({ template: defaultTemplate, size: 100 }));
        expect(free.slice(0, 31)).toEqual([...many('x', 30).map(({ productId }) => productId), 'y000']);
        const { hits, total } = await search({ size: 100, explain: true });
        const ids = hits.map(({ productId }) => productId);
        expect(total).toBe(68);
        expect([...ids].sort()).toEqual([...free].sort());
        const counts = ids.slice(0, 20).join('').replace(/\d/g, '');
        expect(counts).toBe('xxxxxxyyyyyynnnnnzzz');
        expect(ids.slice(20, 26)).toEqual(['x006', 'x007', 'x008', 'x009', 'x010', 'x011']);
        const pages = [];
        for (let from = 0; from < 68; from += 7) pages.push(...idsOf(await search({ from, size: 7 })));
        expect(pages).toEqual(ids);
        const moved = (id: string) => hits.find(({ productId }) => productId === id)?.explanation?.boosts.at(-1);
        expect(moved('x006')).toEqual({ name: 'maxShare', factor: 1, from: 7, to: 21 });
        expect(moved('y000')).toEqual({ name: 'maxShare', factor: 1, from: 31, to: 7 });
        expect(moved('x000')).toMatchObject({ name: 'personal' });
      });

      it('leaves other orders and single products alone', async () => {
        await bench().write([...many('x', 9), ...many('y', 2)]);
        const sorted = await search({ plan: bench().plan({ sortBy: 'pid', size: 8 }) });
        expect(idsOf(sorted)).toEqual(many('x', 8).map(({ productId }) => productId));
        const ids = ['x008', 'x007', 'x006', 'x005', 'x004', 'x003', 'x002', 'y000'];
        expect(idsOf(await search({ plan: bench().plan({ match: { kind: 'ids', ids } }) }))).toEqual(ids);
        expect((await search({ size: 0 })).total).toBe(11);
      });

      it('never lifts a product into a tier above its own', async () => {
        const weaker = many('y', 3).map((document) => ({ ...document, name: 'bola', description: 'azul' }));
        const all = many('x', 9).map((document) => ({ ...document, name: 'bola azul' }));
        await bench().write([...all, ...weaker.map((document) => ({ ...document, description: '' }))]);
        const plan = await bench().planFor('bola azul');
        const ids = idsOf(await bench().search({ plan, template }));
        expect(ids).toEqual([...all, ...weaker].map(({ productId }) => productId));
      });

      it('never lifts a product above one that matches more of the words', async () => {
        const more = many('x', 9).map((document) => ({ ...document, name: 'bola azul grande' }));
        const fewer = many('y', 3).map((document) => ({ ...document, name: 'bola azul' }));
        await bench().write([...more, ...fewer, { productId: 'rede', name: 'rede' }]);
        const plan = await bench().planFor('bola azul grande rede');
        const { hits } = await bench().search({ plan, template });
        expect(hits.map(({ productId }) => productId)).toEqual([...more, ...fewer].map(({ productId }) => productId));
        expect(new Set(hits.map(({ tier }) => tier))).toEqual(new Set(['some']));
      });
    });

    it('finds single products as they are found among all', async () => {
      await bench().write([
        ...TWO,
        { productId: 'c', name: 'bola', description: 'azul' },
        { productId: 'd', name: 'bola' },
      ]);
      const plan = await bench().planFor('bola azul');
      const { hits } = await bench().search({ plan });
      expect(hits.length).toBeGreaterThan(2);
      for (const { productId, tier, score } of hits) {
        const one = await bench().search({ plan: { ...plan, only: [productId] } });
        expect(one.hits).toMatchObject([{ productId, tier }]);
        expect(one.hits[0]?.score).toBeCloseTo(score, bench().digits);
        expect(one.total).toBe(1);
      }
      const none = await bench().search({ plan: { ...(await bench().planFor('praia')), only: ['b', 'nobody'] } });
      expect([none.total, none.hits]).toEqual([0, []]);
    });
  });
}
