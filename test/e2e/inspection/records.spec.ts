import { aProduct } from '../../builders/a-product';
import { expectError } from '../../support/error-reply';
import { inspect, segment, tokenOf } from '../../support/inspector';
import { describeModes } from '../../support/modes';
import type { Json, Reply, StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

describeModes((mode) => {
  let service: WholeApp;
  let client: StoreClient;
  let token: string;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    client = await service.store('loja');
    token = await tokenOf(client);
  });
  afterAll(() => service.close());
  // A minute has ten requests; half an hour of tests is less than a token lives.
  beforeEach(async () => {
    service.clock.advance(60_000);
    token = await tokenOf(client);
  });

  const look = (path: string): Promise<Reply> => inspect(client, token, path);

  async function shown(path: string): Promise<{ sent: Json; meta: Json; text: string }> {
    const reply = await look(path);
    expect([path, reply.status, reply.text.slice(0, 200)]).toEqual([path, 200, expect.any(String)]);
    const { _meta, ...sent } = reply.json;
    return { sent, meta: _meta as Json, text: JSON.stringify(sent) };
  }

  async function put(product: Json, channel?: string): Promise<void> {
    await client.put(channel === undefined ? product : { ...product, salesChannel: channel });
  }

  async function lost(path: string): Promise<{ message: string; paths: string[] }> {
    const { error, message, paths } = expectError(await look(path));
    expect(error).toBe('not_found');
    return { message, paths };
  }

  const skus = [
    { zeta: 1, sku: 'azul', specs: { cor: 'Azul' }, properties: { stock: 2, price: 100, oldPrice: 120 } },
    { sku: 'verde', properties: { price: '110.00', name: 'Verde' }, unknown: [1, { two: null }] },
  ];

  describe('a product', () => {
    test('comes back field for field: types, order of the keys, unknown fields', async () => {
      const sent = {
        zzz: { b: [1, 'é', null, { deep: true }], a: {} },
        ...aProduct({ id: 'field', price: '10.50', customBusiness: { margin: 0.1 } }),
        'ünknown field 🙂': false,
        aaa: '',
        skus,
      };
      await put(sent);
      const { text, meta } = await shown('/product/field');
      expect(text).toBe(JSON.stringify(sent));
      expect(meta).toEqual({
        version: expect.any(Number),
        receivedAt: new Date(service.clock.now()).toISOString(),
        indexedAt: new Date(service.clock.now()).toISOString(),
        searchable: true,
        salesChannel: 'default',
        problems: [],
      });
      expect((await shown('/saleschannel/default/product/field')).text).toBe(text);
    });

    test.each(['a/b', 'ção 🙂', '../etc', '%2e%2e', 'a?b#c', '00123', ' padded ', 'x'.repeat(256)])(
      'whose id is "%s" is found by it',
      async (id) => {
        await put(aProduct({ id }));
        expect((await shown(`/product/${segment(id)}`)).sent['id']).toBe(id);
      },
    );

    test('is shown to admins of either role in the same way, as often as they like', async () => {
      await put(aProduct({ id: 'admin/ü', note: { kept: true } }));
      const byToken = await shown(`/product/${segment('admin/ü')}`);
      const asked = (id: string, query = '') =>
        service.send({
          path: `/admin/stores/loja/products/${segment(id)}${query}`,
          headers: { authorization: `Bearer ${service.token('relevance')}` },
        });
      for (let times = 0; times < 12; times += 1) {
        const { status, json } = await asked('admin/ü');
        expect(status).toBe(200);
        expect(json).toEqual({ ...byToken.sent, _meta: byToken.meta });
      }
      expect(expectError(await asked('nothing')).error).toBe('not_found');
      expect(expectError(await asked('admin/ü', '?salesChannel=nowhere')).paths).toEqual(['salesChannel']);
      expect(expectError(await asked('admin/ü', `?salesChannel=${'x'.repeat(257)}`)).error).toBe('invalid_parameter');
    });

    test('whose id was sent as a number is found by its text', async () => {
      await put(aProduct({ id: 4711 }));
      expect((await shown('/product/4711')).sent['id']).toBe(4711);
    });

    test('that searches can’t find says why', async () => {
      await put(aProduct({ id: 'poor', price: undefined, images: {}, brand: undefined }));
      const { meta } = await shown('/product/poor');
      expect(meta).toMatchObject({
        searchable: false,
        indexedAt: null,
        problems: ['price is missing', 'images.default is missing'],
      });
    });

    test('that was removed is shown as it was sent last, with its status', async () => {
      const sent = aProduct({ id: 'gone', note: 'last' });
      await put(sent);
      const before = (await shown('/product/gone')).meta;
      service.clock.advance(1000);
      await client.send({ method: 'DELETE', path: '/v7/products/gone', headers: client.headers });
      const { text, meta } = await shown('/product/gone');
      expect(text).toBe(JSON.stringify({ ...sent, status: 'removed' }));
      expect(meta).toMatchObject({ searchable: false, indexedAt: null, problems: ['the product was removed'] });
      expect(Number(meta['version'])).toBeGreaterThan(Number(before['version']));
      expect(meta['receivedAt']).toBe(new Date(service.clock.now()).toISOString());
    });

    test('has a greater version after every write, and the time of the last', async () => {
      await put(aProduct({ id: 'again' }));
      const before = (await shown('/product/again')).meta;
      service.clock.advance(5000);
      await put(aProduct({ id: 'again', price: 1 }));
      const { meta } = await shown('/product/again');
      expect(Number(meta['version'])).toBeGreaterThan(Number(before['version']));
      expect(Date.parse(String(meta['receivedAt'])) - Date.parse(String(before['receivedAt']))).toBe(5000);
    });

    test('and its SKUs alone: the record with that one', async () => {
      const sent = aProduct({ id: 'many', skus });
      await put(sent);
      expect((await shown('/product/many/sku/verde')).text).toBe(JSON.stringify({ ...sent, skus: [skus[1]] }));
      const { text } = await shown('/saleschannel/default/product/many/sku/azul');
      expect(text).toBe(JSON.stringify({ ...skus[0], productId: 'many' }));
    });

    test('that was sent without SKUs is its only SKU', async () => {
      const sent = aProduct({ id: 'single' });
      await put(sent);
      expect((await shown('/product/single/sku/single')).text).toBe(JSON.stringify(sent));
      expect((await shown('/saleschannel/default/product/single/sku/single')).sent).toEqual({
        sku: 'single',
        productId: 'single',
      });
      expect((await lost('/product/single/sku/other')).paths).toEqual(['skuId']);
    });
  });

  describe('a sales channel', () => {
    test('shows the product with its overrides, whichever way they were sent', async () => {
      const sent = aProduct({ id: 'chan', price: 200, skus, salesChannels: { app: { price: 90, stock: 3 } } });
      await put(sent);
      await put({ id: 'chan', price: 80, promo: true }, 'kiosk');
      const app = await shown('/saleschannel/app/product/chan');
      expect(app.meta['salesChannel']).toBe('app');
      expect(app.sent).toMatchObject({ id: 'chan', price: 90, stock: 3, name: sent['name'] });
      // A channel's price holds for every SKU it doesn't name.
      expect((app.sent['skus'] as Json[]).map((sku) => (sku['properties'] as Json)['price'])).toEqual([90, 90]);
      expect(Object.keys(app.sent['skus'] as Json[])).toEqual(['0', '1']);
      const sku = await shown('/saleschannel/app/product/chan/sku/azul');
      expect(sku.text).toBe(
        JSON.stringify({
          zeta: 1,
          sku: 'azul',
          specs: { cor: 'Azul' },
          properties: { stock: 2, price: 90 },
          productId: 'chan',
        }),
      );
      expect((await shown('/saleschannel/kiosk/product/chan')).sent).toMatchObject({ price: 80, promo: true });
      expect((await shown('/product/chan')).text).toBe(JSON.stringify(sent));
    });

    test('that is the store’s default one is what an omitted one means', async () => {
      const other = await service.store('outra', { settings: { defaultSalesChannel: 'web' } });
      const own = await tokenOf(other);
      await other.put(aProduct({ id: 'p', price: 100, salesChannels: { web: { price: 95 }, app: { price: 90 } } }));
      const read = async (path: string): Promise<Json> => (await inspect(other, own, path)).json;
      expect(await read('/product/p')).toMatchObject({ price: 95, _meta: { salesChannel: 'web' } });
      expect(await read('/saleschannel/web/product/p')).toMatchObject({ price: 95 });
      expect(await read('/saleschannel/app/product/p')).toMatchObject({ price: 90 });
      expect((await inspect(other, own, '/saleschannel/default/product/p')).status).toBe(404);
    });

    test('in which the product is not, or no longer: 404, while it is there elsewhere', async () => {
      await put(aProduct({ id: 'only-app' }), 'app');
      expect((await lost('/product/only-app')).message).toContain('"default"');
      expect((await shown('/saleschannel/app/product/only-app')).sent).toMatchObject({ salesChannel: 'app' });
      await put(aProduct({ id: 'not-app' }));
      const path = '/v7/products/not-app?salesChannel=app';
      await client.send({ method: 'DELETE', path, headers: client.headers });
      expect((await lost('/saleschannel/app/product/not-app')).message).toContain('not in the sales channel "app"');
      expect((await shown('/product/not-app')).meta['searchable']).toBe(true);
    });
  });

  describe('404 says which', () => {
    test.each([
      ['/product/nothing', 'productId', /product "nothing"/],
      ['/product/nothing/sku/x', 'productId', /product "nothing"/],
      ['/saleschannel/nowhere/product/known', 'salesChannel', /sales channel "nowhere"/],
      ['/saleschannel/nowhere/product/nothing/sku/x', 'salesChannel', /sales channel "nowhere"/],
      ['/product/known/sku/nothing', 'skuId', /SKU "nothing"/],
      ['/saleschannel/default/product/known/sku/nothing', 'skuId', /SKU "nothing"/],
      ['/saleschannel/__proto__/product/known', 'salesChannel', /sales channel/],
    ])('%s: the %s', async (path, which, saying) => {
      await put(aProduct({ id: 'known', skus }));
      const { message, paths } = await lost(path);
      expect(paths).toEqual([which]);
      expect(message).toMatch(saying);
    });

    test.each([`/product/${'x'.repeat(257)}`, '/product/%00', `/saleschannel/${'x'.repeat(257)}/product/p`])(
      'an id that is none (%s) is 400',
      async (path) => {
        expect(expectError(await look(path)).error).toBe('invalid_id');
      },
    );
  });
});
