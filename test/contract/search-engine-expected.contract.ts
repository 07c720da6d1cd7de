import { type DocumentSpec, engineProducts } from '../builders/an-engine-document';
import { expectedTrend } from '../../src/ranking/signal-numbers';
import { type EngineBench, idsOf } from '../support/engine-bench';

const SOLD: DocumentSpec[] = [
  { productId: 'a', sold: 20 },
  { productId: 'b', sold: 500 },
  { productId: 'c' },
  { productId: 'd', sold: 0 },
];

/** The popularity that follows from what the feed says was sold, for as long as none was learned. */
export function describeExpected(bench: () => EngineBench): void {
  describe('expected popularity', () => {
    const order = async (): Promise<string> => idsOf(await bench().search()).join(' ');
    const factorOf = async (id: string): Promise<number> => {
      const { hits } = await bench().search({ explain: true });
      const boosts = hits.find(({ productId }) => productId === id)?.explanation?.boosts ?? [];
      return boosts.find(({ name }) => name === 'trend')?.factor ?? 1;
    };

    it('orders products of which none was learned, and is explained', async () => {
      await bench().write(SOLD);
      expect(await order()).toBe('b a c d');
      expect(await factorOf('b')).toBeCloseTo(expectedTrend(500) ** 0.1, bench().digits);
      expect([await factorOf('c'), await factorOf('d')]).toEqual([1, 1]);
      const { hits } = await bench().search();
      expect(hits[0]!.score / hits[2]!.score).toBeCloseTo(expectedTrend(500) ** 0.1, bench().digits);
    });

    it('changes with the product', async () => {
      await bench().write(SOLD);
      await bench().write([{ productId: 'a', version: 2, sold: 900 }]);
      expect(await order()).toBe('a b c d');
      await bench().write([{ productId: 'b', version: 2 }]);
      expect(await factorOf('b')).toBe(1);
      await bench().write([{ productId: 'a', version: 3, sold: 1 }]);
      expect(await factorOf('a')).toBe(1);
    });

    it('gives way to what is learned, whatever the product is written with afterwards, until that is forgotten', async () => {
      await bench().write(SOLD);
      await bench().setTrend([
        ['b', 0.5],
        ['d', 0.7],
        ['never', null],
      ]);
      expect(await order()).toBe('a c d b');
      await bench().write([{ productId: 'b', version: 2, sold: 900 }]);
      expect(await order()).toBe('a c d b');
      await bench().setTrend([
        ['a', null],
        ['b', null],
        ['never', null],
      ]);
      expect(await order()).toBe('b a c d');
      expect(await factorOf('b')).toBeCloseTo(expectedTrend(900) ** 0.1, bench().digits);
      await bench().setTrend([['b', 0.5]]);
      expect(await order()).toBe('a c d b');
    });

    it('stays what it is in an index that is made anew, where what was learned and forgotten stays so, too', async () => {
      const products = engineProducts([...SOLD, { productId: 'e', sold: 900 }, { productId: 'f', sold: 900 }]);
      await bench().writeProducts(products);
      await bench().setTrend([
        ['a', 40],
        ['e', 30],
        ['f', 0.2],
      ]);
      await bench().setTrend([['a', null]]);
      await bench().engine.rebuild(bench().store, 'pt-BR', async (write) => {
        await bench().setTrend([['f', null]]);
        await write(products);
      });
      expect(await order()).toBe('e f b a c d');
    });

    it('is of each sales channel where those say something else', async () => {
      const everywhere = { excludedChannels: ['app'] };
      await bench().write([
        { productId: 'a', ...everywhere, sold: 20 },
        { productId: 'a', channel: 'app', sold: 500 },
        { productId: 'b', ...everywhere, sold: 60 },
        { productId: 'b', channel: 'app', sold: 60 },
      ]);
      const orderIn = async (channel: string): Promise<string[]> =>
        idsOf(await bench().search({ plan: bench().plan({ channels: [channel] }) }));
      expect([await orderIn('default'), await orderIn('app')]).toEqual([
        ['b', 'a'],
        ['a', 'b'],
      ]);
      await bench().setTrend([['a', 80]]);
      expect([await orderIn('default'), await orderIn('app')]).toEqual([
        ['a', 'b'],
        ['a', 'b'],
      ]);
      await bench().setTrend([['a', null]]);
      expect([await orderIn('default'), await orderIn('app')]).toEqual([
        ['b', 'a'],
        ['a', 'b'],
      ]);
    });
  });
}
