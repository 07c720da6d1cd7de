import { boostsOf } from '../builders/an-engine-document';
import type { PlanRules } from '../../src/engine/plan/plan-rules';
import type { EngineResult } from '../../src/engine/search-engine';
import { type EngineBench, idsOf } from '../support/engine-bench';

const rules = (parts: Partial<PlanRules>): PlanRules => ({ hidden: [], factors: [], pins: [], ...parts });
const pin = (product: string, position: number | null = null) => ({ product, position, rule: `pin ${product}` });
const boost = (product: string, factor: number) => ({
  product,
  factor,
  rule: `of ${product}`,
  type: factor < 1 ? ('bury' as const) : ('boost' as const),
});

const SHOES = { key: 'shoes', id: '1', label: 'Shoes', parent: null };
const HATS = { key: 'hats', id: '2', label: 'Hats', parent: null };

/** How a facet counts its values. */
function countsOf({ facets }: EngineResult, kind: 'brand' | 'category'): Record<string, number> {
  const facet = facets[kind];
  return facet && 'values' in facet ? Object.fromEntries(facet.values.map(({ key, size }) => [key, size])) : {};
}

/** What a store's rules do, and lists without words. */
export function describeRules(bench: () => EngineBench): void {
  describe('rules', () => {
    /** a to h, in this order: all balls, each less popular than the one before. */
    beforeEach(async () => {
      const ids = [...'abcdefgh'];
      await bench().write(
        ids.map((productId, index) => ({
          productId,
          name: `bola ${productId}${productId}`,
          price: 10 + index,
          brand: index % 2 === 0 ? { key: 'even', label: 'Even' } : { key: 'odd', label: 'Odd' },
          features: [`brand:${productId}`],
        })),
      );
      await bench().setTrend(ids.map((id, index) => [id, 9 - index]));
    });

    async function find(acting: Partial<PlanRules>, plan: Parameters<EngineBench['planFor']>[1] = {}) {
      return bench().search({ plan: await bench().planFor('bola', { rules: rules(acting), ...plan }), explain: true });
    }

    it('change nothing where none act', async () => {
      expect(idsOf(await find({})).join('')).toBe('abcdefgh');
    });

    it('hide a product from the hits, from their number and from every count', async () => {
      const found = await find({ hidden: ['a', 'nobody'] }, { facets: ['brand', 'price'] });
      expect(idsOf(found).join('')).toBe('bcdefgh');
      expect(found.total).toBe(7);
      expect(countsOf(found, 'brand')).toEqual({ even: 3, odd: 4 });
      const sorted = await find({ hidden: ['a'] }, { sortBy: 'descPrice' });
      expect(idsOf(sorted).join('')).toBe('hgfedcb');
    });

    it('multiply a score, within the tier, and say so', async () => {
      const plain = await find({});
      const scoreOf = (found: EngineResult, id: string) => found.hits.find((hit) => hit.productId === id)?.score ?? 0;
      const found = await find({ factors: [boost('h', 10), boost('a', 0.01)] });
      expect(idsOf(found).join('')).toBe('hbcdefga');
      expect(scoreOf(found, 'h')).toBeCloseTo(scoreOf(plain, 'h') * 10, bench().digits - 1);
      for (const { score, explanation } of found.hits) {
        expect(explanation?.score).toBeCloseTo(score, bench().digits - 1);
      }
      expect(found.hits[0]?.explanation?.boosts).toContainEqual({ name: 'rule:of h', factor: 10, type: 'boost' });
      expect(found.hits[7]?.explanation?.boosts).toContainEqual({ name: 'rule:of a', factor: 0.01, type: 'bury' });
      expect(found.hits[1]?.explanation?.boosts.filter(({ name }) => name.startsWith('rule:'))).toEqual([]);
    });

    it('never lift a product above those that match better', async () => {
      await bench().write([{ productId: 'z', name: 'bola azul' }]);
      const plan = await bench().planFor('bola azul', { rules: rules({ factors: [boost('h', 10)] }) });
      expect(idsOf(await bench().search({ plan })).slice(0, 2)).toEqual(['z', 'h']);
    });

    it('pin products to their places, on whatever page, and say so', async () => {
      const pins = [pin('h', 3), pin('g'), pin('f', 3), pin('nobody', 1)];
      const whole = 'gahfbcde';
      const found = await find({ pins });
      expect(idsOf(found).join('')).toBe(whole);
      expect(found.total).toBe(8);
      expect(found.hits.map(({ tier }) => tier)).toEqual(['pin', 'all', 'pin', 'pin', 'all', 'all', 'all', 'all']);
      expect(found.hits[2]?.explanation?.boosts).toContainEqual({
        name: 'rule:pin h',
        factor: 1,
        type: 'pin',
        position: 3,
      });
      for (const size of [1, 2, 3, 5]) {
        for (let from = 0; from < 10; from += size) {
          const page = await find({ pins }, { from, size });
          expect([size, from, idsOf(page).join('')]).toEqual([size, from, whole.slice(from, from + size)]);
          expect(page.total).toBe(8);
        }
      }
    });

    it('pin above a product whose name is the query', async () => {
      await bench().write([{ productId: 'x', name: 'bola', exact: ['bola'] }]);
      const found = await find({ pins: [pin('h')] });
      expect(found.hits.slice(0, 2).map(({ productId, tier }) => [productId, tier])).toEqual([
        ['h', 'pin'],
        ['x', 'exact'],
      ]);
    });

    it('pin what does not match, as a hit that is counted once', async () => {
      await bench().write([{ productId: 'lamp', name: 'luminaria', brand: { key: 'light', label: 'Light' } }]);
      const plan = { facets: ['brand' as const] };
      const found = await find({ pins: [pin('lamp', 2), pin('a', 4)] }, plan);
      expect(idsOf(found).join(' ')).toBe('b lamp c a d e f g h');
      expect(found.total).toBe(9);
      expect(countsOf(found, 'brand')).toEqual({ even: 4, odd: 4, light: 1 });
      const counted = await find({ pins: [pin('lamp', 2)] }, { ...plan, size: 0 });
      expect([counted.total, countsOf(counted, 'brand')['light']]).toEqual([9, 1]);
      const sorted = await find({ pins: [pin('lamp', 2)] }, { sortBy: 'ascPrice' });
      expect(idsOf(sorted).join(' ')).toBe('a b c d e f g h lamp');
    });

    it('keep a pinned product that matches some words apart from how many match all', async () => {
      await bench().write([
        { productId: 'both', name: 'bola azul' },
        { productId: 'one', name: 'azul' },
      ]);
      const plan = await bench().planFor('bola azul', { rules: rules({ pins: [pin('one', 2)] }), someBelow: 1 });
      const found = await bench().search({ plan, explain: true });
      expect(idsOf(found)).toEqual(['both', 'one']);
      expect(found.total).toBe(2);
      const [, one] = found.hits;
      expect(one?.explanation?.score).toBeCloseTo(one?.score ?? -1, bench().digits - 1);
    });

    it('let filters, channels and hiding keep a pin out, which leaves no hole', async () => {
      await bench().write([{ productId: 'elsewhere', name: 'bola', channel: 'other' }]);
      const found = await find(
        { pins: [pin('a', 1), pin('elsewhere', 2), pin('h', 3), pin('g', 4)], hidden: ['g'] },
        { filters: [{ kind: 'brand', keys: ['odd'] }], facets: ['brand'] },
      );
      expect(idsOf(found).join('')).toBe('bdhf');
      expect(countsOf(found, 'brand')).toEqual({ even: 3, odd: 4 });
    });

    it('put pins that lie behind the last hit last, in their order', async () => {
      expect(idsOf(await find({ pins: [pin('a', 500), pin('b', 400)] })).join('')).toBe('cdefghba');
    });

    it('act beside what the shopper likes, page after page', async () => {
      const acting = rules({ pins: [pin('d', 2)], factors: [boost('b', 1.5)], hidden: ['c'] });
      const boosts = boostsOf({ 'brand:h': 2, 'brand:g': 1 });
      const plan = await bench().planFor('bola', { rules: acting });
      const whole = idsOf(await bench().search({ plan, boosts }));
      expect(whole).toHaveLength(7);
      expect(whole[1]).toBe('d');
      expect(whole).not.toContain('c');
      const pages: string[] = [];
      for (let from = 0; from < 8; from += 2) {
        pages.push(...idsOf(await bench().search({ plan: { ...plan, from, size: 2 }, boosts })));
      }
      expect(pages).toEqual(whole);
    });

    it('act on lists without words, too', async () => {
      const plan = bench().plan({ rules: rules({ pins: [pin('h')], hidden: ['a'], factors: [boost('g', 10)] }) });
      expect(idsOf(await bench().search({ plan })).join('')).toBe('hgbcdef');
    });
  });

  describe('lists without words', () => {
    beforeEach(async () => {
      await bench().write([
        { productId: 'a', categories: [SHOES], price: 1 },
        { productId: 'b', categories: [SHOES, HATS], price: 2 },
        { productId: 'c', categories: [HATS], price: 3, features: ['brand:x'] },
        { productId: 'd', price: 4 },
      ]);
    });

    it('hold the products named, in the order of the formula', async () => {
      const plan = bench().plan({ match: { kind: 'all', products: ['d', 'c', 'a', 'nobody', 'a'] } });
      const found = await bench().search({ plan, boosts: boostsOf({ 'brand:x': 1 }) });
      expect([idsOf(found).join(''), found.total]).toEqual(['cad', 3]);
      expect(idsOf(await bench().search({ plan: { ...plan, sortBy: 'descPrice' } })).join('')).toBe('dca');
      const none = bench().plan({ match: { kind: 'all', products: [] } });
      expect((await bench().search({ plan: none })).total).toBe(0);
    });

    it('hold what passes, and facets count no more than that', async () => {
      const match = { kind: 'all' as const, within: [{ kind: 'category' as const, keys: ['hats'] }] };
      const found = await bench().search({ plan: bench().plan({ match, facets: ['category'] }) });
      expect([idsOf(found).join(''), found.total]).toEqual(['bc', 2]);
      expect(countsOf(found, 'category')).toEqual({ hats: 2, shoes: 1 });
      const filters = [{ kind: 'category' as const, keys: ['shoes'] }];
      const narrowed = await bench().search({ plan: bench().plan({ match, filters, facets: ['category'] }) });
      expect(idsOf(narrowed).join('')).toBe('b');
      expect(countsOf(narrowed, 'category')).toEqual({ hats: 2, shoes: 1 });
    });
  });
}
