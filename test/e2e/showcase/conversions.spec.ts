import { describeModes } from '../../support/modes';
import { type Json, type Reply } from '../../support/store-client';
import { aCampaign, goods, type MetricsRow, ShowcaseShop, startShowcase } from '../../support/showcase-shop';
import type { WholeApp } from '../../support/whole-app';

const DAY = 86_400_000;

describeModes((mode) => {
  let whole: WholeApp;
  let shop: ShowcaseShop;
  let stores = 0;

  beforeAll(async () => {
    ({ whole } = await startShowcase(mode));
  });
  afterAll(() => whole.close());
  beforeEach(async () => {
    shop = new ShowcaseShop(await whole.store(`pedidos-${(stores += 1)}`));
    await shop.store.put(goods('a'));
    await shop.campaign('c', aCampaign(['a']));
    expect(await shop.click((await shop.card({ userId: 'ana' })).link)).toBe(true);
  });

  const sold = (changes: Json = {}): Json => ({
    tId: 'order-1',
    currency: 'BRL',
    products: [{ sku: 'a', price: '19.90', qty: 2 }],
    total: 39.8,
    ...changes,
  });
  const pixel = (query: Record<string, string>, headers: Record<string, string> = {}): Promise<Reply> =>
    shop.store.send({ path: '/c.gif', query: { conv: JSON.stringify(sold()), cUID: 'ana', ...query }, headers });
  const row = async (): Promise<Partial<MetricsRow>> => (await shop.metrics()).rows[0] ?? {};
  const none = { conversions: 0, unverified: 0, revenue: 0 };
  const once = { conversions: 1, unverified: 1, revenue: 39.8 };

  describe('a conversion', () => {
    it('is an image that counts the order of a page, once', async () => {
      for (let times = 0; times < 2; times += 1) {
        const reply = await shop.convert(sold(), 'ana');
        expect([reply.status, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
          200,
          'image/gif',
          'no-store',
        ]);
      }
      expect(await row()).toMatchObject(once);
    });

    it.each<[string, () => Record<string, string>, number]>([
      ['an Origin', () => ({ origin: shop.store.keys.origin }), 200],
      ['a Referer', () => ({ referer: `${shop.store.keys.origin}/obrigado?x=1` }), 200],
      ['X-Origin', () => ({ 'x-origin': shop.store.keys.origin }), 200],
      [
        'X-Origin as a bare host, beside an apiKey',
        () => ({ 'x-origin': `${shop.store.keys.apiKey}.example`, 'x-api-key': shop.store.keys.apiKey }),
        200,
      ],
      ['keys', () => shop.store.headers, 200],
      ['nothing', () => ({}), 401],
      ['a strange Referer', () => ({ referer: 'https://strange.example/' }), 403],
      [
        'a Referer that only looks alike',
        () => ({ referer: `https://strange.example/${shop.store.keys.origin}` }),
        403,
      ],
      [
        'a strange Origin before a good Referer',
        () => ({ origin: 'https://strange.example', referer: shop.store.keys.origin }),
        403,
      ],
      ['wrong keys', () => ({ ...shop.store.headers, 'x-secret-key': 'wrong', origin: shop.store.keys.origin }), 401],
    ])('with %s', async (_what, headers, status) => {
      expect((await pixel({}, headers())).status).toBe(status);
      expect((await row()).conversions).toBe(status === 200 ? 1 : 0);
    });

    it('with keys is proven, also where they stand in the address', async () => {
      const { apiKey, secretKey } = shop.store.keys;
      expect((await pixel({ apiKey, secretKey })).status).toBe(200);
      expect(await row()).toMatchObject({ conversions: 1, unverified: 0, revenue: 39.8 });
    });

    it('is unverified until the store’s backend names the order', async () => {
      await shop.convert(sold(), 'ana');
      const event = { id: 'order-1', items: [{ pid: 'a' }] };
      await shop.store.event('transaction', event);
      expect(await row()).toMatchObject(once);
      const body = { ...shop.store.keys, ...event, userId: 'ana' };
      await shop.store.send({ method: 'POST', path: '/v7/events/views/transaction', body });
      expect(await row()).toMatchObject({ conversions: 1, unverified: 0, revenue: 39.8 });
    });

    const transaction = (event: Json, keys = true) => {
      const body = keys ? { ...shop.store.keys, ...event } : event;
      const headers: Record<string, string> = keys ? {} : { origin: shop.store.keys.origin };
      return shop.store.send({ method: 'POST', path: '/v7/events/views/transaction', body, headers });
    };

    it('stays unverified where another user’s order has that id, and keeps that one from nothing', async () => {
      expect(await shop.click((await shop.card({ userId: 'eva' })).link)).toBe(true);
      await shop.convert(sold({ products: [{ sku: 'a', price: 900, qty: 1 }] }), 'eva');
      await transaction({ id: 'order-1', userId: 'ana', items: [{ pid: 'a', price: 10, quantity: 1 }], total: 10 });
      expect(await row()).toMatchObject({ conversions: 1, unverified: 1, revenue: 900 });
      await shop.convert(sold(), 'ana');
      expect(await row()).toMatchObject({ conversions: 1, unverified: 0, revenue: 10 });
      await shop.convert(sold({ products: [{ sku: 'a', price: 900, qty: 1 }] }), 'eva');
      expect(await row()).toMatchObject({ conversions: 1, unverified: 0, revenue: 10 });
    });

    it('stays unverified where a transaction without keys, one without a user or with other products names it', async () => {
      await shop.convert(sold(), 'ana');
      const items = [{ pid: 'a', price: 10, quantity: 1 }];
      await transaction({ id: 'order-1', userId: 'ana', items }, false);
      expect(await row()).toMatchObject(once);
      await transaction({ id: 'order-1', items });
      expect(await row()).toMatchObject(once);
      await shop.convert(sold({ tId: 'order-2' }), 'ana');
      await transaction({ id: 'order-2', userId: 'ana', items: [{ pid: 'b', price: 10, quantity: 1 }] });
      expect(await row()).toMatchObject({ conversions: 2, unverified: 2 });
    });

    it('has the amounts of the transaction, whichever comes first', async () => {
      const items = [{ pid: 'a', price: 12.5, quantity: 2 }];
      await transaction({ id: 'order-1', userId: 'ana', items });
      await shop.convert(sold(), 'ana');
      expect(await row()).toMatchObject({ conversions: 1, unverified: 0, revenue: 25 });
      await shop.convert(sold({ tId: 'order-2' }), 'ana');
      await transaction({ id: 'order-2', deviceId: 'ana', items });
      expect(await row()).toMatchObject({ conversions: 2, unverified: 0, revenue: 50 });
    });

    it('without keys never takes an order id from one with keys', async () => {
      expect(await shop.click((await shop.card({ userId: 'eva' })).link)).toBe(true);
      for (const tId of ['order-1', 'order-2', 'order-3']) await shop.convert(sold({ tId }), 'eva');
      await shop.convert(sold({ products: [{ sku: 'a', price: 10, qty: 1 }] }), 'ana', { keys: true });
      expect(await row()).toMatchObject({ conversions: 3, unverified: 2, revenue: 10 + 2 * 39.8 });
    });

    it('without keys is worth no more than the product can have cost', async () => {
      await shop.convert(sold({ products: [{ sku: 'a', price: 900_000_000, qty: 1 }] }), 'ana');
      expect(await row()).toMatchObject({ conversions: 1, unverified: 1, revenue: 1999 });
      await shop.convert(sold({ products: [{ sku: 'a', price: 5000, qty: 1 }] }), 'ana', { keys: true });
      expect(await row()).toMatchObject({ conversions: 1, unverified: 0, revenue: 5000 });
    });

    it('is taken from clients that write tID, send numbers, and know no user', async () => {
      const { tId: _old, ...rest } = sold();
      await shop.convert({ ...rest, tID: 77 }, 'ana');
      expect(await row()).toMatchObject(once);
      const reply = await shop.store.send({
        path: '/c.gif',
        query: { conv: JSON.stringify(sold({ tId: 'other' })) },
        headers: { origin: shop.store.keys.origin },
      });
      expect(reply.status).toBe(200);
      expect(await row()).toMatchObject(once);
    });

    it('follows a click of the last days only, as many as the store says', async () => {
      whole.clock.advance(8 * DAY);
      await shop.convert(sold(), 'ana');
      expect((await shop.metrics()).rows).toMatchObject([none]);
      await shop.store.admin({ method: 'PATCH', path: '', body: { settings: { attributionDays: 9 } } });
      await shop.convert(sold({ tId: 'order-2' }), 'ana');
      expect((await shop.metrics()).rows).toMatchObject([none, once]);
    });

    it('is refunded by keys alone, and never below zero', async () => {
      await shop.convert(sold(), 'ana', { keys: true });
      const back = sold({ products: [{ sku: 'a', price: 19.9, qty: -1 }] });
      const refused = await shop.convert(back, 'ana');
      expect([refused.status, refused.json]).toMatchObject([403, { error: 'forbidden' }]);
      await shop.convert(back, 'ana', { keys: true });
      expect(await row()).toMatchObject({ revenue: 19.9, conversions: 1 });
      whole.clock.advance(20_000);
      await shop.convert(sold({ products: [{ sku: 'a', price: 1000, qty: -50 }] }), 'ana', { keys: true });
      expect(await row()).toMatchObject({ revenue: 0, conversions: 1 });
    });

    it('in another currency is kept and not summed', async () => {
      await shop.convert(sold({ currency: 'usd' }), 'ana');
      expect(await row()).toMatchObject({ ...none, verdicts: { valid: 1, currency: 1 } });
    });

    it.each([
      ['no JSON', 'nonsense', 'conv'],
      ['a list', '[]', ''],
      ['no order', JSON.stringify({ products: [] }), 'tId'],
      ['no products', JSON.stringify({ tId: '1' }), 'products'],
      ['a quantity of 0', JSON.stringify({ tId: '1', products: [{ sku: 'a', price: 1, qty: 0 }] }), 'products.0.qty'],
      [
        'a price below 0',
        JSON.stringify({ tId: '1', products: [{ sku: 'a', price: -1, qty: 1 }] }),
        'products.0.price',
      ],
    ])('is refused with %s', async (_what, conv, path) => {
      const reply = await pixel({ conv }, { origin: shop.store.keys.origin });
      expect([reply.status, reply.json]).toMatchObject([400, { error: 'invalid_parameter', details: [{ path }] }]);
    });
  });
});
