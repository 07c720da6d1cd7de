import { JobQueue } from '../../../src/jobs/job-queue';
import { aShop, CALMA, VELOZ } from '../../builders/a-shop';
import { ENGAGE, QUERIES, type Query, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';
import { describeModes } from '../../support/modes';

const DAY = 86_400_000;
const SHOPPERS: Query[] = [
  { userId: 'ana' },
  { userId: 'bruno' },
  { deviceId: 'd1' },
  { userId: 'ana', deviceId: 'd1' },
  {},
];

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja');
    await loja.putMany(aShop());
  });
  afterAll(() => service.close());

  /** Visits over a month, with a device that is claimed halfway. */
  async function aMonth(): Promise<void> {
    for (let day = 0; day < 10; day += 1) {
      await loja.event('product', { userId: 'ana', pid: VELOZ[day] });
      await loja.event('cart', { userId: 'ana', items: [{ pid: VELOZ[day % 3], quantity: 1 }] });
      await loja.event('product', { deviceId: 'd1', pid: CALMA[day] });
      if (day === 4) await loja.event('home', { deviceId: 'd1', userId: 'bruno' });
      if (day % 3 === 0) await loja.buy({ userId: 'bruno' }, [String(CALMA[day])]);
      await loja.event('category', { userId: 'bruno', categories: ['Moda', 'Calçados'] });
      service.clock.advance(3 * DAY + 12_345);
    }
  }

  /** Everything a ranking shows: order, and scores to the last bit. */
  async function rankings(): Promise<object[]> {
    const seen: object[] = [];
    for (const shopper of SHOPPERS) {
      for (const path of [QUERIES, ENGAGE]) {
        const { products } = await loja.search(
          { terms: 'tênis', explain: true, resultsPerPage: 100, ...shopper },
          path,
        );
        seen.push(products.map(({ id, explanation }) => ({ id, explanation })));
      }
    }
    return seen;
  }

  async function vectors(): Promise<object[]> {
    const seen = [
      await loja.vector('users', 'ana'),
      await loja.vector('users', 'bruno'),
      await loja.vector('devices', 'd1'),
    ];
    // What is aggregated leaves the recent events; the weights are the whole.
    return seen.map(({ weights, price }) => ({ weights, price }));
  }

  async function aggregate(): Promise<void> {
    await loja.completed(
      await service.app.get(JobQueue).enqueue({ kind: 'profiles.fold', store: '*', key: 'fold', payload: null }),
    );
  }

  test('no job moves a ranking: aggregating and rebuilding leave every order and score as they were, to the bit', async () => {
    await aMonth();
    const [orders, before] = [await rankings(), await vectors()];
    await aggregate();
    expect((await loja.vector('users', 'ana'))['overlay']).toEqual([]);
    expect(await rankings()).toEqual(orders);
    expect(await vectors()).toEqual(before);
    await loja.rebuild();
    expect(await rankings()).toEqual(orders);
    expect(await vectors()).toEqual(before);
    await loja.rebuild({ userId: 'ana' });
    await loja.rebuild({ deviceId: 'd1' });
    expect(await rankings()).toEqual(orders);
    expect(await vectors()).toEqual(before);
  });

  test('indexing the whole catalog again moves no ranking', async () => {
    const orders = await rankings();
    const { json } = await loja.admin({ method: 'POST', path: '/reindex' });
    await loja.completed(String(json['jobId']));
    expect(await rankings()).toEqual(orders);
  });

  test('events on top of an aggregated vector count as they would have in one go', async () => {
    for (const pid of VELOZ.slice(0, 4)) await loja.event('product', { userId: 'early', pid });
    for (const pid of VELOZ.slice(0, 4)) await loja.event('product', { userId: 'late', pid });
    service.clock.advance(60_000);
    await loja.event('product', { userId: 'early', pid: VELOZ[5] });
    await aggregate();
    await loja.event('product', { userId: 'late', pid: VELOZ[5] });
    const [early, late] = [await loja.vector('users', 'early'), await loja.vector('users', 'late')];
    expect(late['weights']).toEqual(early['weights']);
    expect(await loja.order({ terms: 'tênis', userId: 'late' })).toEqual(
      await loja.order({ terms: 'tênis', userId: 'early' }),
    );
  });

  test('a product that changes afterwards changes no vector, and neither does a rebuild', async () => {
    await loja.buy({ userId: 'snap' }, VELOZ.slice(0, 2));
    const before = await loja.vector('users', 'snap');
    const [first] = aShop();
    await loja.put({ ...first, brand: 'Outra', categories: ['Casa'] });
    await loja.rebuild({ userId: 'snap' });
    expect((await loja.vector('users', 'snap'))['weights']).toEqual(before['weights']);
  });

  test('ids of shoppers that no database can keep belong to nobody, and keep no job from ending', async () => {
    for (const id of ['x\0y', '\ud800', '\0']) await loja.event('product', { userId: id, deviceId: id, pid: CALMA[2] });
    service.clock.advance(60_000);
    await aggregate();
    expect((await loja.vector('users', 'x'))['weights']).toEqual([]);
    expect((await loja.search({ terms: 'tênis', userId: 'x\0y' })).personalization.applied).toBe(false);
  });
});
