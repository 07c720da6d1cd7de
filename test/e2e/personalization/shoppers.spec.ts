import { aShop, CALMA, VELOZ } from '../../builders/a-shop';
import type { Query, StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';
import { describeModes } from '../../support/modes';

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;
  let neutral: string[];

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja');
    await loja.putMany(aShop());
    neutral = await orderOf({});
  });
  afterAll(() => service.close());

  const orderOf = (shopper: Query): Promise<string[]> => loja.order({ terms: 'tênis corrida', ...shopper });
  const profileOf = async (shopper: Query): Promise<object> =>
    (await loja.search({ terms: 'tênis', ...shopper })).personalization;

  describe('a device', () => {
    test('ranks by itself while nobody has claimed it', async () => {
      await loja.buy({ deviceId: 'd1' }, VELOZ.slice(6, 9));
      expect(VELOZ).toContain((await orderOf({ deviceId: 'd1' }))[0]);
      expect(await profileOf({ deviceId: 'd1' })).toMatchObject({ applied: true, profile: 'device' });
    });

    test('hands what it did to the first user who is seen on it, and inherits nothing to the next', async () => {
      await loja.buy({ deviceId: 'd2' }, VELOZ.slice(6, 9));
      const before = await orderOf({ deviceId: 'd2' });
      expect(before).not.toEqual(neutral);
      await loja.event('home', { deviceId: 'd2', userId: 'carla' });
      expect(await orderOf({ userId: 'carla' })).toEqual(before);
      expect(await orderOf({ deviceId: 'd2' })).toEqual(neutral);
      await loja.event('home', { deviceId: 'd2', userId: 'diego' });
      expect(await orderOf({ userId: 'diego' })).toEqual(neutral);
      expect(await orderOf({ userId: 'diego', deviceId: 'd2' })).toEqual(neutral);
      expect(await orderOf({ userId: 'carla' })).toEqual(before);
    });

    test('of a known user gives nothing of that user to whoever holds it', async () => {
      await loja.buy({ deviceId: 'd3', userId: 'elisa' }, VELOZ.slice(5, 9));
      expect(await orderOf({ userId: 'elisa' })).not.toEqual(neutral);
      expect(await orderOf({ deviceId: 'd3' })).toEqual(neutral);
      expect(await profileOf({ deviceId: 'd3' })).toMatchObject({ applied: false, profile: 'none' });
    });

    test('and a user are merged where both hold evidence, and only there', async () => {
      await loja.buy({ userId: 'fabio' }, VELOZ.slice(0, 3));
      expect(await profileOf({ userId: 'fabio', deviceId: 'd4' })).toMatchObject({ profile: 'user' });
      await loja.buy({ deviceId: 'd4' }, VELOZ.slice(6, 9));
      expect(await profileOf({ userId: 'fabio', deviceId: 'd4' })).toMatchObject({ profile: 'merged' });
      expect(await profileOf({ userId: 'nobody', deviceId: 'd4' })).toMatchObject({ profile: 'device' });
      const merged = (await orderOf({ userId: 'fabio', deviceId: 'd4' })).slice(0, 6);
      expect([...merged].sort()).toEqual([...VELOZ.slice(0, 3), ...VELOZ.slice(6, 9)]);
    });

    test('may be named by identity.browserId, as pages in the field do', async () => {
      await loja.event('transaction', {
        identity: { browserId: 'd5' },
        id: 'order-d5',
        items: [{ pid: CALMA[7], quantity: 1 }],
      });
      expect((await orderOf({ deviceId: 'd5' }))[0]).toBe(CALMA[7]);
    });
  });

  describe('erasing a user', () => {
    test('returns them to the neutral order, says what went, and leaves nothing behind', async () => {
      await loja.buy({ userId: 'gabi', deviceId: 'd6' }, VELOZ.slice(2, 5));
      expect(await orderOf({ userId: 'gabi' })).not.toEqual(neutral);
      const receipt = await loja.erase('gabi');
      expect(receipt).toMatchObject({ erased: { events: 3, searches: 1 } });
      // Before they search again.
      expect(await loja.exported('gabi')).toEqual([]);
      expect(await orderOf({ userId: 'gabi' })).toEqual(neutral);
      expect(await orderOf({ deviceId: 'd6' })).toEqual(neutral);
      expect(await orderOf({ userId: 'gabi', deviceId: 'd6' })).toEqual(neutral);
      expect((await loja.vector('users', 'gabi'))['weights']).toEqual([]);
    });

    test('forgets what they claimed, and what a later page would have been ranked with', async () => {
      await loja.buy({ deviceId: 'd7' }, VELOZ.slice(10, 12));
      await loja.event('home', { deviceId: 'd7', userId: 'hugo' });
      const query = { terms: 'tênis corrida', userId: 'hugo', resultsPerPage: 5 };
      expect(await loja.order(query)).not.toEqual(neutral.slice(0, 5));
      await loja.erase('hugo');
      const later = await loja.order({ ...query, page: 2 });
      expect(later).toEqual(neutral.slice(5, 10));
      expect(await orderOf({ deviceId: 'd7' })).toEqual(neutral);
    });

    test('drops what comes late from before it, and lets newer events start afresh', async () => {
      const before = service.clock.now();
      const sent = { userId: 'ines', eventId: 'ines-1', pid: CALMA[3] };
      await loja.event('product', sent);
      service.clock.advance(1000);
      await loja.erase('ines');
      service.clock.advance(1000);
      await loja.event('product', sent);
      await loja.event('product', { userId: 'ines', pid: CALMA[4], timestamp: before - 5000 });
      expect(await orderOf({ userId: 'ines' })).toEqual(neutral);
      await loja.event('transaction', { userId: 'ines', id: 'ines-2', items: [{ pid: CALMA[9], quantity: 1 }] });
      expect((await orderOf({ userId: 'ines' }))[0]).toBe(CALMA[9]);
    });

    test('touches nobody else', async () => {
      await loja.buy({ userId: 'joao' }, VELOZ.slice(0, 3));
      await loja.buy({ userId: 'joao2' }, VELOZ.slice(0, 3));
      const kept = await orderOf({ userId: 'joao2' });
      await loja.erase('joao');
      expect(await orderOf({ userId: 'joao2' })).toEqual(kept);
    });
  });

  test('a user who opts out gets the neutral order, and it says so', async () => {
    await loja.buy({ userId: 'lia' }, VELOZ.slice(0, 3));
    const headers = loja.headers;
    const body = { personalize: false };
    const first = await loja.order({ terms: 'corrida', userId: 'lia', resultsPerPage: 5 });
    expect(first).not.toEqual(neutral.slice(0, 5));
    expect((await loja.send({ method: 'PUT', path: '/v7/users/lia', headers, body })).status).toBe(204);
    expect(await orderOf({ userId: 'lia' })).toEqual(neutral);
    expect(await profileOf({ userId: 'lia' })).toMatchObject({ applied: false, reason: 'opted_out' });
  });

  test.each([
    ['too long', 'x'.repeat(5000)],
    ['odd', 'a\u0000b'],
    ['a UUID in braces', '{5f0c1a52-6f0e-4d0e-9a39-0a6f6a1f3a0b}'],
    ['SQL', `x' OR 1=1 --`],
  ])('an id of a shopper that is %s fails nothing', async (_name, id) => {
    for (const shopper of [{ userId: id }, { deviceId: id }]) {
      await loja.event('product', { ...shopper, pid: CALMA[0] });
      expect((await orderOf(shopper)).length).toBe(neutral.length);
    }
  });

  /** What each product is worth to the shopper, to the last bit. */
  async function worth(shopper: Query): Promise<object[]> {
    const { products } = await loja.search({ terms: 'tênis corrida', explain: true, ...shopper });
    return products.map(({ id, explanation }) => ({ id, explanation }));
  }

  test('weights are those of the end of a 1,440th of the shortest half-life: the same whoever asks within it, and less later; an event shows at once', async () => {
    const shopper = { userId: 'gabi' };
    // Of 14 days, for views.
    const step = 14 * 60_000;
    service.clock.advance(step - (service.clock.time % step) + 1000);
    await loja.buy(shopper, VELOZ.slice(0, 2));
    const first = await worth(shopper);
    service.clock.advance(step - 2000);
    expect(await worth(shopper)).toEqual(first);
    await loja.buy(shopper, VELOZ.slice(2, 3));
    const more = await worth(shopper);
    expect(more).not.toEqual(first);
    service.clock.advance(2000);
    expect(await worth(shopper)).not.toEqual(more);
  });
});
