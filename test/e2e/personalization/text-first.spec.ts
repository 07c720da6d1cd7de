import * as fc from 'fast-check';
import { aProduct } from '../../builders/a-product';
import type { Query, StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';
import { describeModes } from '../../support/modes';

const created = '2020-01-01T00:00:00.000Z';
const BRANDS = ['Acme', 'Bravo', 'Corda'];

/** Matches both words of the query, one of them, or none; and one product that is called just like the query. */
const BOTH = Array.from({ length: 8 }, (_, index) => `both-${index}`);
const ONE = Array.from({ length: 8 }, (_, index) => `one-${index}`);
const NONE = Array.from({ length: 4 }, (_, index) => `none-${index}`);
const EXACT = 'zz-exact';
const PIDS = [...BOTH, ...ONE, ...NONE];
const QUERY = 'garrafa térmica';

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;
  let shoppers = 0;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja');
    const product = (id: string, name: string, index: number): Record<string, unknown> =>
      aProduct({ id, name, created, brand: BRANDS[index % 3], categories: ['Casa > Cozinha'], sold: index * 1000 });
    await loja.putMany([
      ...BOTH.map((id, index) => product(id, `Garrafa Térmica Inox ${index}`, index)),
      ...ONE.map((id, index) => product(id, `Garrafa Plástica ${index}`, index)),
      ...NONE.map((id, index) => product(id, `Cafeteira Italiana ${index}`, index)),
      // The plainest product of the shop: nothing but its name speaks for it.
      aProduct({ id: EXACT, name: 'Garrafa Térmica', created, brand: 'Zeta', status: 'unavailable', sold: 0 }),
    ]);
  });
  afterAll(() => service.close());

  const visits = fc.array(
    fc.record({
      pid: fc.constantFrom(...PIDS),
      event: fc.constantFrom('product', 'cart', 'transaction'),
      quantity: fc.integer({ min: 1, max: 50 }),
    }),
    { minLength: 1, maxLength: 25 },
  );
  type Visit = { pid: string; event: string; quantity: number };

  async function live(shopper: Query, history: readonly Visit[]): Promise<void> {
    for (const [index, { pid, event, quantity }] of history.entries()) {
      const items = [{ pid, quantity }];
      const id = `${JSON.stringify(shopper)}-${index}`;
      await loja.event(event, event === 'product' ? { ...shopper, pid } : { ...shopper, id, items });
    }
  }

  test('whatever a shopper did, no product stands above the one that is called like the query', async () => {
    await fc.assert(
      fc.asyncProperty(visits, async (history) => {
        const shopper = { userId: `exact-${(shoppers += 1)}` };
        await live(shopper, history);
        for (const terms of [QUERY, 'GARRAFA  TERMICA', EXACT]) {
          expect((await loja.order({ terms, ...shopper }))[0]).toBe(EXACT);
        }
      }),
      { numRuns: 12, seed: 7 },
    );
  });

  test('whatever a shopper did, products that match every word stand above those that match some', async () => {
    await fc.assert(
      fc.asyncProperty(visits, async (history) => {
        const shopper = { deviceId: `tiers-${(shoppers += 1)}` };
        await live(shopper, history);
        const order = await loja.order({ terms: QUERY, ...shopper });
        const lastOfBoth = Math.max(...BOTH.map((id) => order.indexOf(id)));
        const firstOfOne = Math.min(...ONE.map((id) => order.indexOf(id)).filter((index) => index >= 0), order.length);
        expect(BOTH.every((id) => order.includes(id))).toBe(true);
        expect(lastOfBoth).toBeLessThan(firstOfOne);
      }),
      { numRuns: 12, seed: 8 },
    );
  });

  test('whatever a shopper did, what doesn’t match is not found, and what matches is not lost', async () => {
    const neutral = [...(await loja.order({ terms: QUERY, personalize: false }))].sort();
    await fc.assert(
      fc.asyncProperty(visits, async (history) => {
        const shopper = { userId: `found-${(shoppers += 1)}` };
        await live(shopper, history);
        const order = await loja.order({ terms: QUERY, ...shopper });
        expect([...order].sort()).toEqual(neutral);
        expect(order.filter((id) => NONE.includes(id))).toEqual([]);
      }),
      { numRuns: 8, seed: 9 },
    );
  });

  test('both tiers hold something: the tests above compare real products', async () => {
    const order = await loja.order({ terms: QUERY });
    expect(order.filter((id) => BOTH.includes(id))).toHaveLength(BOTH.length);
    expect(order.filter((id) => ONE.includes(id)).length).toBeGreaterThan(0);
  });

  test('a factor never leaves the limits of the template, however much somebody buys', async () => {
    const shopper = { userId: 'collector' };
    await live(
      shopper,
      PIDS.flatMap((pid) => [{ pid, event: 'transaction', quantity: 1000 }]),
    );
    const { products } = await loja.search({ terms: 'garrafa', explain: true, resultsPerPage: 100, ...shopper });
    const factors = products.map(({ explanation }) => {
      const boosts = explanation?.['boosts'] as { name: string; factor: number }[];
      return boosts.find(({ name }) => name === 'personal')?.factor ?? 1;
    });
    expect(Math.max(...factors)).toBeGreaterThan(1.5);
    expect(Math.max(...factors)).toBeLessThanOrEqual(3);
    expect(Math.min(...factors)).toBeGreaterThanOrEqual(1);
  });
});
