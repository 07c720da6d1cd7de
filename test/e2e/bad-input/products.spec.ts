import { aProduct } from '../../builders/a-product';
import { expectError } from '../../support/error-reply';
import { type Refusal, long, nested, refused } from '../../support/refused';
import { type Call, ENGAGE, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';
import { describeModes } from '../../support/modes';

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja');
  });
  afterAll(() => service.close());

  const check = (call: Call, refusal: Refusal): Promise<void> => refused(service.send, call, refusal);

  describe('products', () => {
    const put = (body: unknown, id = 'p1', headers: Record<string, string> = {}): Call => ({
      method: 'PUT',
      path: `/v7/products/${id}`,
      headers: { ...loja.headers, ...headers },
      body,
    });
    const cases: [name: string, fields: Record<string, unknown>, path: string][] = [
      ['a text for a price', { price: 'cheap' }, 'price'],
      ['a price below 0', { price: -1 }, 'price'],
      ['a list for a name', { name: ['a'] }, 'name'],
      ['a text for images', { images: 'x.jpg' }, 'images'],
      ['numbers for categories', { categories: 5 }, 'categories'],
      ['a strange status', { status: 'sold out' }, 'status'],
      ['a text for skus', { skus: 'a' }, 'skus'],
      ['a SKU without id', { skus: [{}] }, 'skus.0.sku'],
      ['a SKU with a wrong price', { skus: [{ sku: '1', properties: { price: 'x' } }] }, 'skus.0.properties.price'],
      ['a text for details', { details: 'x' }, 'details'],
      ['a list for specs', { specs: [] }, 'specs'],
      ['a day that isn’t', { created: 'soon' }, 'created'],
      ['a text for sold', { sold: 'many' }, 'sold'],
      ['a text for sales channels', { salesChannels: 'x' }, 'salesChannels'],
      ['a sales channel with a wrong price', { salesChannels: { app: { price: 'x' } } }, 'salesChannels.app.price'],
      ['an empty sales channel', { salesChannel: '' }, 'salesChannel'],
      ['a sales channel too long', { salesChannel: long(257) }, 'salesChannel'],
      ['a text for an installment', { installment: '10x' }, 'installment'],
      ['a brand of lists', { brand: [['a']] }, 'brand'],
    ];

    test.each(cases)('%s is refused alone, and as a line that stops no other', async (_name, fields, path) => {
      await check(put({ ...aProduct({ id: 'p1' }), ...fields }), ['invalid_body', path]);
      const bad = { ...aProduct({ id: 'bad' }), ...fields };
      const { accepted, rejected } = await loja.putMany([aProduct({ id: 'ok-1' }), bad, aProduct({ id: 'ok-2' })]);
      expect(accepted).toBe(2);
      expect(rejected).toEqual([
        { line: 2, id: 'bad', error: 'invalid_body', message: expect.stringContaining(path) as string },
      ]);
    });

    test('ids that are too long, and that differ from the address', async () => {
      await check(put(aProduct({ id: undefined }), long(257)), ['invalid_id', null, /256/]);
      const { error } = expectError(await service.send(put(aProduct({ id: 'other' }))));
      expect(['invalid_id', 'invalid_body']).toContain(error);
    });

    test.each([
      ['half a surrogate pair', '\ud800'],
      ['NUL', 'a\0b'],
      ['nothing', ''],
      ['an object', {}],
      ['true', true],
    ])('%s is no id', async (_name, id) => {
      const bad = { ...aProduct({ id: 'x' }), id };
      const { accepted, rejected } = await loja.putMany([bad]);
      expect([accepted, rejected[0]?.['error']]).toEqual([0, 'invalid_body']);
      await check(put({ ...aProduct(), skus: [{ sku: id }] }, 'tenis-1'), ['invalid_body', 'skus.0.sku']);
      await check(put({ ...aProduct(), salesChannel: id }, 'tenis-1'), ['invalid_body', 'salesChannel']);
    });

    test('an address with NUL names no product', () =>
      check(put(aProduct({ id: undefined }), 'a%00b'), ['invalid_id']));

    test('bodies that are no product', async () => {
      const json = { 'content-type': 'application/json' };
      for (const body of ['[]', '7', '"x"', 'null', 'true']) await check(put(body, 'p1', json), ['invalid_body']);
      for (const body of ['{', '{"a":}', "{'a':1}", 'NaN']) await check(put(body, 'p1', json), ['invalid_json']);
      await check(put(`{"x":${nested(40)}}`, 'p1', json), ['too_deep']);
      await check(put('a;b', 'p1', { 'content-type': 'text/html' }), ['unsupported_media_type']);
    });

    test('lists of products that are none', async () => {
      const post = (body: unknown): Call => ({ method: 'POST', path: '/v7/products', headers: loja.headers, body });
      await check(post({}), ['invalid_body', 'products']);
      await check(post({ products: {} }), ['invalid_body', 'products']);
      await check(post({ products: Array.from({ length: 1001 }, () => ({})) }), ['invalid_body', 'products', /1,000/]);
      const { json } = await service.send(post({ products: [null, 7, 'x', [], aProduct({ id: 'fine' })] }));
      expect(json['accepted']).toBe(1);
      expect((json['rejected'] as { line: number }[]).map(({ line }) => line)).toEqual([1, 2, 3, 4]);
    });

    test('bad lines of NDJSON are named by their number, and stop no good one', async () => {
      const lines = [
        JSON.stringify(aProduct({ id: 'l1' })),
        '{"id": "l2", ',
        '',
        'null',
        '[]',
        '7',
        '{"name":"no id"}',
        `{"id":"${long(257)}"}`,
        `{"id":"l9","x":${nested(40)}}`,
        '{"id":"l10","__proto__":{"a":1}}',
        `{"id":"l11","x":"${long(1_100_000)}"}`,
        '\u0000',
        '\r',
        JSON.stringify(aProduct({ id: 'l14' })),
      ];
      const headers = { ...loja.headers, 'content-type': 'application/x-ndjson' };
      const reply = await service.send({ method: 'POST', path: '/v7/products', headers, body: lines.join('\n') });
      expect(reply.status).toBe(200);
      const rejected = reply.json['rejected'] as { line: number; error: string; message: string }[];
      expect(reply.json['accepted']).toBe(2);
      expect(rejected.map(({ line }) => line)).toEqual([2, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
      expect(rejected.find(({ line }) => line === 2)?.error).toBe('invalid_json');
      expect(rejected.find(({ line }) => line === 9)?.error).toBe('too_deep');
      expect(rejected.find(({ line }) => line === 11)?.error).toBe('body_too_large');
      for (const { message } of rejected) expect(message.length).toBeGreaterThan(8);
      expect((await loja.order({ pids: ['l1', 'l14'] })).sort()).toEqual(['l1', 'l14']);
    });

    test('bytes that are no text are lines like any other', async () => {
      const headers = { ...loja.headers, 'content-type': 'application/x-ndjson' };
      const body = Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a, 0x80, 0x0a]), Buffer.from('{"id":"after-bytes"}')]);
      const { status, json } = await service.send({ method: 'POST', path: '/v7/products', headers, body });
      expect([status, json['accepted']]).toEqual([200, 1]);
    });

    test.each([
      ['a slash', 'a/b'],
      ['the end of a text in C, spelt out', 'a\\0b'],
      ['a pair of surrogates', '\u{1f600}'],
      ['a percent sign', '100%'],
      ['a line break', 'a\nb'],
      ['256 characters', 'é'.repeat(256)],
    ])('%s in an id is an id like any other: written, found, removed', async (_name, id) => {
      const { accepted, rejected } = await loja.putMany([aProduct({ id, name: 'Vaso Estranho' })]);
      expect({ accepted, rejected }).toEqual({ accepted: 1, rejected: [] });
      const found = await loja.order({ terms: 'vaso estranho' });
      expect(found).toHaveLength(1);
      const path = `/v7/products/${encodeURIComponent(String(found[0]))}`;
      expect((await service.send({ method: 'DELETE', path, headers: loja.headers })).status).toBe(204);
      expect(await loja.order({ terms: 'vaso estranho' })).toEqual([]);
    });

    test('the largest and smallest numbers are kept or refused, and break no search', async () => {
      const odd = [1e308, 5e-324, '1e308', '00012.50', 0, Infinity, '1e999', Number.MAX_SAFE_INTEGER + 1];
      for (const [index, price] of odd.entries()) {
        const body = {
          ...aProduct({ id: `n${index}`, name: 'Numeroso', oldPrice: price, sold: price, stock: price }),
          price,
        };
        const reply = await service.send(put(body, `n${index}`));
        if (reply.status !== 202) expectError(reply);
      }
      for (const sortBy of ['relevance', 'ascPrice', 'descPrice', 'descSold', 'descDiscount']) {
        const { products } = await loja.search({ terms: 'numeroso', sortBy }, ENGAGE);
        expect(products.length).toBeGreaterThan(2);
        for (const product of products) expect(Number.isFinite(product['price' as 'id'] as unknown)).toBe(true);
      }
    });

    test('what was never sent can’t be removed', () =>
      check({ method: 'DELETE', path: '/v7/products/never', headers: loja.headers }, ['not_found', null, /never/]));
  });
});
