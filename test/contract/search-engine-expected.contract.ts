import { type DocumentSpec, engineProducts } from '../builders/an-engine-document';
import { type EngineBench, idsOf } from '../support/engine-bench';

/** What is expected of b is more than of a, which is more than of c, of which nothing is known. */
const EXPECTED: DocumentSpec[] = [
  { productId: 'a', expectedTrend: 20 },
  { productId: 'b', expectedTrend: 50 },
  { productId: 'c' },
];

/** The popularity that a product comes with, for as long as none was learned of it. */
export function describeExpected(bench: () => EngineBench): void {
  describe('expected popularity', () => {
    const order = async (): Promise<string[]> => idsOf(await bench().search());
    const trendOf = async (id: string): Promise<number | undefined> => {
      const { hits } = await bench().search({ explain: true });
      const found = hits.find(({ productId }) => productId === id);
      return found?.explanation?.boosts.find(({ name }) => name === 'trend')?.factor;
    };

    it('orders products of which none was learned, and is explained', async () => {
      await bench().write(EXPECTED);
      expect(await order()).toEqual(['b', 'a', 'c']);
      expect(await trendOf('b')).toBeCloseTo(50 ** 0.1, bench().digits);
      expect((await trendOf('c')) ?? 1).toBe(1);
    });

    it('changes with the product, and goes with it', async () => {
      await bench().write(EXPECTED);
      await bench().write([{ productId: 'a', version: 2, expectedTrend: 90 }]);
      expect(await order()).toEqual(['a', 'b', 'c']);
      await bench().write([{ productId: 'a', version: 3 }]);
      expect(await order()).toEqual(['b', 'a', 'c']);
    });

    it('gives way to what is learned, whatever the product is written with afterwards', async () => {
      await bench().write(EXPECTED);
      await bench().setTrend([['b', 0.5]]);
      expect(await order()).toEqual(['a', 'c', 'b']);
      await bench().write([{ productId: 'b', version: 2, expectedTrend: 90 }]);
      expect(await order()).toEqual(['a', 'c', 'b']);
    });

    it('goes on to be what is expected where just that was learned', async () => {
      await bench().write(EXPECTED);
      await bench().setTrend([
        ['a', 20],
        ['b', 50],
      ]);
      expect(await order()).toEqual(['b', 'a', 'c']);
      await bench().write([{ productId: 'a', version: 2, expectedTrend: 90 }]);
      expect(await order()).toEqual(['a', 'b', 'c']);
    });

    it('stays what it is in an index that is made anew, where what was learned stays, too', async () => {
      const products = engineProducts([...EXPECTED, { productId: 'd', expectedTrend: 90 }]);
      await bench().writeProducts(products);
      await bench().setTrend([['d', 30]]);
      await bench().engine.rebuild(bench().store, 'pt-BR', (write) => write(products));
      expect(await order()).toEqual(['b', 'd', 'a', 'c']);
    });

    it('is of the product, in whichever channel it is seen', async () => {
      const [a, b] = [20, 50].map((expectedTrend, at) => ({ productId: 'ab'[at]!, expectedTrend }));
      await bench().write([
        { ...a!, excludedChannels: ['app'] },
        { ...a!, channel: 'app', price: 5 },
        { ...b!, excludedChannels: ['app'] },
        { ...b!, channel: 'app', price: 9 },
      ]);
      for (const channel of ['app', 'default']) {
        expect(idsOf(await bench().search({ plan: bench().plan({ channels: [channel] }) }))).toEqual(['b', 'a']);
      }
      await bench().setTrend([['a', 80]]);
      for (const channel of ['app', 'default']) {
        expect(idsOf(await bench().search({ plan: bench().plan({ channels: [channel] }) }))).toEqual(['a', 'b']);
      }
    });
  });
}
