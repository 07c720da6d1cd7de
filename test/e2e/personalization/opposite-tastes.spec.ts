import { aProduct } from '../../builders/a-product';
import { aShop, CALMA, meanPlace, VELOZ } from '../../builders/a-shop';
import { ENGAGE, QUERIES, SEARCH, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';
import { describeModes } from '../../support/modes';

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;
  let other: StoreClient;

  /** Ten past visits each: what they bought, and what they looked at. */
  async function liveIn(store: StoreClient): Promise<void> {
    await store.putMany(aShop());
    for (const [userId, pids] of [
      ['ana', VELOZ],
      ['bruno', CALMA],
    ] as const) {
      await store.buy({ userId }, pids.slice(0, 4));
      for (const pid of pids.slice(4, 6)) await store.event('product', { userId, pid });
    }
  }

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja');
    await liveIn(loja);
    other = await service.store('outra');
    await other.putMany(aShop());
  });
  afterAll(() => service.close());

  describe.each([QUERIES, ENGAGE, SEARCH])('two shoppers with opposite histories, one query on %s', (path) => {
    const orderOf = (userId?: string): Promise<string[]> => loja.order({ terms: 'tênis corrida', userId }, path);

    test('each sees what they like in front of what the other likes', async () => {
      const [ana, bruno] = [await orderOf('ana'), await orderOf('bruno')];
      expect(meanPlace(ana, 'veloz')).toBeLessThan(meanPlace(ana, 'calma'));
      expect(meanPlace(bruno, 'calma')).toBeLessThan(meanPlace(bruno, 'veloz'));
      expect(VELOZ).toContain(ana[0]);
      expect(CALMA).toContain(bruno[0]);
    });

    test('both see the same products, and nothing else', async () => {
      const [ana, bruno] = [await orderOf('ana'), await orderOf('bruno')];
      expect([...ana].sort()).toEqual([...bruno].sort());
      expect([...ana].sort()).toEqual([...CALMA, ...VELOZ].sort());
    });

    test('whom nobody knows gets the neutral order, and so does everybody who asks for it', async () => {
      const neutral = await loja.order({ terms: 'tênis corrida', personalize: false }, path);
      expect(await orderOf()).toEqual(neutral);
      expect(await orderOf('nobody')).toEqual(neutral);
      expect(await loja.order({ terms: 'tênis corrida', personalize: false, userId: 'ana' }, path)).toEqual(neutral);
      expect(neutral).not.toEqual(await orderOf('ana'));
    });

    test('the same question gets the same answer', async () => {
      expect(await orderOf('ana')).toEqual(await orderOf('ana'));
    });

    test('the reply says whether it was personalized, and if not, why', async () => {
      const known = await loja.search({ terms: 'tênis', userId: 'ana' }, path);
      expect(known.personalization).toMatchObject({ applied: true, profile: 'user' });
      const unknown = await loja.search({ terms: 'tênis', userId: 'nobody' }, path);
      expect(unknown.personalization).toMatchObject({ applied: false, profile: 'none', reason: 'no_profile' });
      const asked = await loja.search({ terms: 'tênis', userId: 'ana', personalize: false }, path);
      expect(asked.personalization).toMatchObject({ applied: false, reason: 'personalize_false' });
    });
  });

  test('all three addresses rank alike', async () => {
    for (const userId of ['ana', 'bruno', 'nobody']) {
      const [queries = [], ...rest] = await Promise.all(
        [QUERIES, ENGAGE, SEARCH].map((path) => loja.order({ terms: 'corrida', userId }, path)),
      );
      for (const order of rest) expect(order).toEqual(queries);
    }
  });

  test('without a query, too, each shopper gets the products most fitting for them', async () => {
    const [ana, bruno] = [await loja.order({ userId: 'ana' }), await loja.order({ userId: 'bruno' })];
    expect(VELOZ).toContain(ana[0]);
    expect(CALMA).toContain(bruno[0]);
    expect([...ana].sort()).toEqual([...bruno].sort());
  });

  test('another order than relevance is the same for everybody', async () => {
    for (const sortBy of ['pid', 'ascPrice', 'descDate']) {
      const orders = await Promise.all(
        ['ana', 'bruno', undefined].map((userId) => loja.order({ terms: 'tênis', userId, sortBy })),
      );
      expect(orders[1]).toEqual(orders[0]);
      expect(orders[2]).toEqual(orders[0]);
    }
  });

  test('the scores say what the order says, and multiply out to within 1%', async () => {
    const { products } = await loja.search({ terms: 'tênis corrida', userId: 'ana', explain: true });
    const scores = products.map(({ explanation }) => Number(explanation?.['score']));
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const { explanation } of products) {
      const { score, text, boosts } = explanation as unknown as {
        score: number;
        text: number;
        boosts: { name: string; factor: number; clamped?: boolean; parts?: { add: number }[] }[];
      };
      const product = boosts.reduce((value, { factor }) => value * factor, text);
      expect(Math.abs(product / score - 1)).toBeLessThan(0.01);
      const personal = boosts.find(({ name }) => name === 'personal');
      const sum = (personal?.parts ?? []).reduce((total, { add }) => total + add, 0);
      if (personal?.clamped) expect(sum).toBeGreaterThan(personal.factor - 1);
      else expect(sum).toBeCloseTo((personal?.factor ?? 1) - 1, 6);
    }
  });

  describe('the very next search after an event', () => {
    test('reflects it, for a shopper never seen before', async () => {
      const before = await loja.order({ terms: 'tênis corrida', userId: 'dora' });
      const last = String(before.at(-1));
      await loja.event('transaction', { userId: 'dora', id: 'dora-1', items: [{ pid: last, quantity: 1 }] });
      const after = await loja.order({ terms: 'tênis corrida', userId: 'dora' });
      expect(after[0]).toBe(last);
    });

    test.each([
      ['product', (pid: string) => ({ pid })],
      ['cart', (pid: string) => ({ items: [{ pid, quantity: 1 }] })],
      ['search', (pid: string) => ({ query: 'tenis', items: [{ pid }] })],
    ])('moves the product of a %s event up', async (name, body) => {
      const userId = `next-${name}`;
      const before = await loja.order({ terms: 'tênis corrida', userId });
      const last = String(before.at(-1));
      await loja.event(name, { userId, ...body(last) });
      const after = await loja.order({ terms: 'tênis corrida', userId });
      expect(after.indexOf(last)).toBeLessThan(before.indexOf(last));
    });

    test('counts a product that was not in the catalog when it was looked at, once it arrives', async () => {
      const store = await service.store('early');
      await store.putMany(aShop().slice(0, 5));
      await store.event('transaction', { userId: 'cedo', id: '1', items: [{ pid: 'zz-late', quantity: 1 }] });
      expect((await store.search({ terms: 'tênis', userId: 'cedo' })).personalization.applied).toBe(false);
      await store.put(aProduct({ id: 'zz-late', name: 'Tênis Tardio', created: '2025-06-01T00:00:00.000Z' }));
      expect((await store.order({ terms: 'tênis', userId: 'cedo' }))[0]).toBe('zz-late');
    });
  });

  test('what a shopper does in one store moves nothing in another', async () => {
    const neutral = await other.order({ terms: 'tênis corrida' });
    for (const userId of ['ana', 'bruno'])
      expect(await other.order({ terms: 'tênis corrida', userId })).toEqual(neutral);
  });
});
