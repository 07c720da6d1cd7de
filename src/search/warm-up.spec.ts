import type { CatalogRecords } from '../catalog/records/catalog-records';
import type { StoresService } from '../stores/stores.service';
import type { FindRequest, ProductFinder } from './product-finder';
import { WarmUp } from './warm-up';

describe('the first searches of a process', () => {
  afterEach(() => jest.useRealTimers());

  const product = {
    name: 'Tênis azul',
    url: 'https://loja.example/p1',
    price: 5,
    images: { default: 'https://loja.example/p1.jpg' },
    categories: [{ id: 'moda', name: 'Moda' }],
    status: 'AVAILABLE',
  };

  interface Shop {
    stores?: number;
    /** Ids of the products of each store. */
    products?: readonly string[];
  }

  /** A service whose searches take so long, each. */
  function service(takesMs: (searches: number) => number, { stores: count = 9, products = ['p1'] }: Shop = {}) {
    const stores = Array.from({ length: count }, (_, number) => ({ id: `s${number}` }));
    const asked: FindRequest[] = [];
    const find = async (request: FindRequest) => {
      asked.push(request);
      const ms = takesMs(asked.length);
      await new Promise((resolve) => setTimeout(resolve, ms));
      return { result: { hits: products.map((productId) => ({ productId, channel: 'default' })) } };
    };
    const records = {
      read: async () => [{ productId: 'p1', base: { sent: product, version: 1, removed: false }, channels: {} }],
    };
    const warmUp = new WarmUp(
      { all: () => stores } as unknown as StoresService,
      { find } as unknown as ProductFinder,
      records as unknown as CatalogRecords,
    );
    return { asked, warmUp };
  }
  const told = (asked: readonly FindRequest[]) =>
    asked.map(({ store, parameters, unseen }) => [store.id, parameters.terms, unseen]);

  it('find everything and one product by its name, and leave no trace', async () => {
    const { asked, warmUp } = service(() => 0);
    await warmUp.run();
    expect(told(asked).slice(0, 2)).toEqual([
      ['s0', undefined, true],
      ['s0', 'Tênis azul', true],
    ]);
  });

  it('end once three stores in a row are quick', async () => {
    // By a clock that moves by what the searches take alone, however busy the machine is.
    jest.useFakeTimers();
    const { asked, warmUp } = service((searches) => (searches <= 4 ? 60 : 0));
    const run = warmUp.run();
    await jest.advanceTimersByTimeAsync(1000);
    await run;
    expect(asked.map(({ store }) => store.id).at(-1)).toBe('s4');
  });

  it('say nothing of how quick searches are where there is nothing to find', async () => {
    const { asked, warmUp } = service(() => 0, { products: [] });
    await warmUp.run();
    expect(asked.map(({ store }) => store.id)).toEqual(Array.from({ length: 9 }, (_, number) => `s${number}`));
    const none = service(() => 0, { stores: 0 });
    await none.warmUp.run();
    expect(none.asked).toEqual([]);
  });

  it('that fail at one store go on with the next', async () => {
    const { asked, warmUp } = service((searches) => {
      if (searches === 1) throw new Error('away');
      return 0;
    });
    await warmUp.run();
    expect(told(asked).slice(0, 3)).toEqual([
      ['s0', undefined, true],
      ['s1', undefined, true],
      ['s1', 'Tênis azul', true],
    ]);
  });

  it('hold up no start for longer than three seconds', async () => {
    jest.useFakeTimers();
    const { asked, warmUp } = service(() => 60_000);
    const run = warmUp.run();
    await jest.advanceTimersByTimeAsync(3001);
    await run;
    expect(asked).toHaveLength(1);
  });
});
