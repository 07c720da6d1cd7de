import { boostsOf, engineProducts } from '../builders/an-engine-document';
import { defaultTemplate } from '../../src/ranking/template/template';
import { textScore } from '../../src/ranking/text';
import { type EngineBench, idsOf } from '../support/engine-bench';

/** In which order, in which channel, and as of which version. */
export function describeOrder(bench: () => EngineBench): void {
  describe('order', () => {
    it('neither repeats nor drops a product over pages, ties included', async () => {
      await bench().write(
        Array.from({ length: 95 }, (_, index) => ({ productId: `p${index % 10}-${index}`, price: index % 3 })),
      );
      for (const sortBy of ['relevance', 'ascPrice', 'descSold', 'pid'] as const) {
        const seen: string[] = [];
        for (let from = 0; from < 100; from += 10) {
          seen.push(
            ...idsOf(
              await bench().search({
                plan: bench().plan({ from, size: 10, sortBy }),
                boosts: boostsOf({ 'product:p1-1': 1 }),
              }),
            ),
          );
        }
        expect(new Set(seen).size).toBe(95);
        expect(seen).toHaveLength(95);
      }
    });

    it('puts products of the same score in the order of their ids, wherever a page begins and ends', async () => {
      const ids = ['b', 'a', 'é', 'c', 'Z', 'd', '\uffee', 'e'];
      await bench().write(ids.map((productId) => ({ productId })));
      await bench().setTrend([
        ['c', 5],
        ['a', 5],
        ['e', 5],
        ['d', 3],
      ]);
      const whole = ['a', 'c', 'e', 'd', 'Z', 'b', 'é', '\uffee'];
      for (const size of [1, 2, 3, 5]) {
        for (let from = 0; from < whole.length; from += 1) {
          const page = await bench().search({ plan: bench().plan({ from, size }) });
          expect(idsOf(page)).toEqual(whole.slice(from, from + size));
          expect(page.total).toBe(whole.length);
        }
      }
    });

    it.each([
      ['pid', 'a b c d'],
      ['ascPrice', 'b a c d'],
      ['descPrice', 'd a c b'],
      ['descDate', 'b d c a'],
      ['ascSold', 'c b a d'],
      ['descSold', 'a b c d'],
      ['ascReview', 'b c a d'],
      ['descReview', 'c b a d'],
      ['descDiscount', 'c a b d'],
    ] as const)('sorts by %s, unknown values last, ties by id', async (sortBy, order) => {
      await bench().write([
        { productId: 'd', price: 30, created: 3 },
        { productId: 'c', price: 20, oldPrice: 40, created: 2, sold: 1, rating: { average: 5, count: 1 } },
        { productId: 'a', price: 20, oldPrice: 25, created: 1, sold: 9 },
        { productId: 'b', price: 10, created: 4, sold: 5, rating: { average: 3, count: 2 } },
      ]);
      expect(idsOf(await bench().search({ plan: bench().plan({ sortBy }) }))).toEqual(order.split(' '));
    });

    it('answers ids in the order asked, without the unknown', async () => {
      await bench().write([{ productId: 'a' }, { productId: 'b' }, { productId: 'c' }]);
      const plan = bench().plan({ match: { kind: 'ids', ids: ['c', 'nobody', 'a', 'c'] } });
      expect(idsOf(await bench().search({ plan }))).toEqual(['c', 'a']);
    });

    it('ranks by what the shopper likes, no further than the greatest boost', async () => {
      await bench().write([
        { productId: 'a', name: 'bola', features: ['brand:x'] },
        { productId: 'b', name: 'bola', features: ['brand:y', 'category:z'] },
      ]);
      const plan = await bench().planFor('bola');
      const neutral = await bench().search({ plan });
      expect(idsOf(neutral)).toEqual(['a', 'b']);
      const liked = await bench().search({
        plan,
        boosts: boostsOf({ 'brand:y': 0.2, 'category:z': 0.1, 'related:b': 0.2 }),
      });
      expect(idsOf(liked)).toEqual(['b', 'a']);
      expect(liked.hits[0]?.score).toBeCloseTo((neutral.hits[1]?.score ?? 0) * 1.5, bench().digits);
      const clamped = await bench().search({ plan, boosts: boostsOf({ 'brand:y': 10 }) });
      expect(clamped.hits[0]?.score).toBeCloseTo((neutral.hits[1]?.score ?? 0) * 3, bench().digits);
    });

    it('ranks by the prices that the shopper pays in the top category of a product', async () => {
      await bench().write([
        { productId: 'paid', price: 100, features: ['brand:x', 'category:moda', 'category:moda/praia'] },
        { productId: 'near', price: 120, features: ['category:moda/praia', 'category:moda'] },
        { productId: 'far', price: 1000, features: ['category:moda'] },
        { productId: 'elsewhere', price: 100, features: ['category:casa', 'category:moda'] },
        { productId: 'nowhere', price: 100, features: ['brand:x'] },
        { productId: 'free', price: 0, features: ['category:moda'] },
      ]);
      const taste = { mean: Math.log(100), spread: 0.5, add: 0.8 };
      const boosts = { ...boostsOf({ 'brand:x': 0.1 }), prices: new Map([['moda', taste]]) };
      const scores = async (explain: boolean): Promise<Map<string, number>> =>
        new Map((await bench().search({ boosts, explain })).hits.map(({ productId, score }) => [productId, score]));
      const { hits } = await bench().search({});
      const neutral = new Map(hits.map(({ productId, score }) => [productId, score]));
      const bell = (price: number): number => 0.8 * Math.exp(-0.5 * (Math.log(price / 100) / 0.5) ** 2);
      const sums = { paid: 0.1 + 0.8, near: bell(120), far: bell(1000), elsewhere: 0, nowhere: 0.1, free: 0 };
      for (const ranked of [await scores(false), await scores(true)]) {
        for (const [id, sum] of Object.entries(sums)) {
          expect(ranked.get(id)).toBeCloseTo((neutral.get(id) ?? Number.NaN) * (1 + sum), bench().digits);
        }
      }
    });

    it('raises what is bought more, and keeps that when the product is written again', async () => {
      await bench().write([{ productId: 'a' }, { productId: 'b' }]);
      await bench().setTrend([
        ['b', 5],
        ['later', 1],
      ]);
      await bench().write([{ productId: 'b', version: 2 }]);
      expect(idsOf(await bench().search({}))).toEqual(['b', 'a']);
    });

    it('scores text by the formula every engine is held to', async () => {
      await bench().write([
        { productId: 'a', name: 'bola azul' },
        { productId: 'b', name: 'bola' },
        { productId: 'c', name: 'azul escuro' },
      ]);
      const { hits } = await bench().search({ plan: await bench().planFor('azul'), explain: true });
      const none = { documents: 0, averageLength: 0 };
      const stats = {
        name: { documents: 3, averageLength: 5 / 3 },
        brand: none,
        categories: none,
        tags: none,
        skus: none,
        description: none,
      };
      const match = { field: 'name' as const, frequency: 2, length: 2, variantWeight: 1 };
      const expected = textScore([[match]], stats, defaultTemplate);
      expect(hits.map(({ explanation }) => explanation?.text)).toEqual([expected, expected]);
    });

    it('explains a score as text times every factor, with the parts of the personal one', async () => {
      await bench().write([{ productId: 'a', name: 'bola azul', oldPrice: 200, features: ['brand:x', 'category:z'] }]);
      const boosts = boostsOf({ 'brand:x': 0.25, 'product:a': 0.5, 'brand:other': 1 });
      const { hits } = await bench().search({ plan: await bench().planFor('bola'), boosts, explain: true });
      const explanation = hits[0]?.explanation;
      const product = explanation?.boosts.reduce((all, { factor }) => all * factor, explanation.text) ?? 0;
      expect(product).toBeCloseTo(hits[0]?.score ?? Number.NaN, bench().digits);
      expect(explanation?.boosts.at(-1)).toMatchObject({ name: 'personal', factor: 1.75, clamped: false });
    });
  });

  describe('channels and versions', () => {
    it('takes a product as it is in the first channel in which it exists', async () => {
      await bench().write([
        { productId: 'a', channel: '*', excludedChannels: ['app'], price: 10 },
        { productId: 'a', channel: 'app', price: 8 },
        { productId: 'b', channel: 'app', price: 5 },
      ]);
      const inChannels = async (...channels: string[]) =>
        (await bench().search({ plan: bench().plan({ channels, sortBy: 'pid', filters: [] }) })).hits.map(
          ({ productId, channel }) => `${productId}@${channel}`,
        );
      expect(await inChannels('web')).toEqual(['a@web']);
      expect(await inChannels('app')).toEqual(['a@app', 'b@app']);
      expect(await inChannels('web', 'app')).toEqual(['a@web', 'b@app']);
      expect(await inChannels('app', 'web')).toEqual(['a@app', 'b@app']);
    });

    it('ignores a version older than the one it has, removed products included', async () => {
      await bench().write([{ productId: 'a', name: 'novo', version: 5 }]);
      await bench().write([{ productId: 'a', name: 'velho', version: 4 }]);
      expect(await bench().find('velho')).toEqual([]);
      await bench().writeProducts([{ productId: 'a', version: 7, documents: [] }]);
      await bench().write([{ productId: 'a', name: 'velho', version: 6 }]);
      expect(await bench().find('velho')).toEqual([]);
      await bench().write([{ productId: 'a', name: 'outro', version: 8 }]);
      expect(await bench().find('outro')).toEqual(['a']);
      expect(await bench().engine.status(bench().store)).toEqual({
        documents: 1,
        version: 8,
        outdated: false,
      });
    });

    it('keeps stores apart and forgets one that is removed', async () => {
      await bench().write([{ productId: 'a', name: 'bola' }]);
      await bench().engine.write('another', 'pt-BR', engineProducts([{ productId: 'b', name: 'bola' }]));
      await bench().engine.searchable('another');
      expect(await bench().find('bola')).toEqual(['a']);
      await bench().engine.removeStore(bench().store);
      expect(await bench().find('bola')).toEqual([]);
      expect(idsOf(await bench().search({ plan: await bench().planFor('bola', { store: 'another' }) }))).toEqual(['b']);
      await bench().write([{ productId: 'c', name: 'bola' }]);
      expect(await bench().find('bola')).toEqual(['c']);
    });

    it('ranks the first thousand personally where there are more than ten thousand hits', async () => {
      const many = Array.from({ length: 10_100 }, (_, index) => ({
        productId: `p${String(index).padStart(5, '0')}`,
      }));
      const boosts = boostsOf({ 'product:p00999': 1, 'product:p01000': 2 });
      const plan = bench().plan({ from: 0, size: 1002 });
      await bench().write(many.slice(0, 10_000));
      const all = await bench().search({ plan, boosts });
      expect([all.execution, ...idsOf(all).slice(0, 2)]).toEqual(['all', 'p01000', 'p00999']);
      await bench().write(many.slice(10_000));
      const { hits, execution } = await bench().search({ plan, boosts });
      expect(execution).toBe('window');
      expect(hits[0]?.productId).toBe('p00999');
      expect(hits[1000]?.productId).toBe('p01000');
      const second = await bench().search({ plan: bench().plan({ from: 0, size: 2 }), boosts });
      expect(idsOf(second)).toEqual(['p00999', 'p00000']);
    });
  });
}
