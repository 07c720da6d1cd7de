import { Readable } from 'node:stream';
import { CatalogRecords } from '../../../src/catalog/records/catalog-records';
import { aProduct } from '../../builders/a-product';
import { API_KEY, type CatalogApp, startCatalogApp } from './support';
import { describeModes } from '../../support/modes';

describeModes((mode) => {
  describe('products in', () => {
    let shop: CatalogApp;
    beforeAll(async () => {
      shop = await startCatalogApp(mode);
    });
    afterAll(() => shop.close());

    const put = (id: string, payload: object, headers: Record<string, string> = shop.keys) =>
      shop.app.inject({ method: 'PUT', url: `/v7/products/${encodeURIComponent(id)}`, headers, payload });
    const remove = (id: string, query = '') =>
      shop.app.inject({ method: 'DELETE', url: `/v7/products/${id}${query}`, headers: shop.keys });
    const postLines = (payload: string | Readable) => {
      const headers = { ...shop.keys, 'content-type': 'application/x-ndjson' };
      return shop.app.inject({ method: 'POST', url: '/v7/products', headers, payload });
    };
    const post = (payload: object) =>
      shop.app.inject({ method: 'POST', url: '/v7/products', headers: shop.keys, payload });
    const indexedIds = async (channel?: string) => (await shop.indexed(channel)).map(({ productId }) => productId);
    const recordOf = async (id: string) => (await shop.app.get(CatalogRecords).read(shop.store.id, [id]))[0] ?? null;

    describe('PUT /v7/products/:id', () => {
      it('answers 202 once the product is recorded and can be found', async () => {
        const sent = aProduct({ id: 'put-1', unknownField: { kept: ['as', 'is'] }, price: '19.90' });
        const reply = await put('put-1', sent);
        expect(reply.statusCode).toBe(202);
        expect(reply.json()).toEqual({ id: 'put-1', version: expect.any(Number) as number });
        expect((await recordOf('put-1'))?.base?.sent).toEqual(sent);
        expect(await indexedIds()).toContain('put-1');
      });

      it('takes the keys from the body, and keeps them out of the record', async () => {
        const secrets = { apiKey: API_KEY, secretKey: shop.keys['x-secret-key'] };
        const reply = await put('put-keys', { ...secrets, ...aProduct({ id: 'put-keys' }) }, {});
        expect(reply.statusCode).toBe(202);
        expect(JSON.stringify(await recordOf('put-keys'))).not.toContain(shop.keys['x-secret-key']);
      });

      it('takes ids that look like paths', async () => {
        expect((await put('a/b c?ção', aProduct({ id: undefined }))).json()).toMatchObject({ id: 'a/b c?ção' });
      });

      it('keeps a product that lacks a field, without showing it', async () => {
        expect((await put('put-2', aProduct({ id: 'put-2', url: undefined }))).statusCode).toBe(202);
        expect(await recordOf('put-2')).not.toBeNull();
        expect(await indexedIds()).not.toContain('put-2');
      });

      it('refuses a field of the wrong type, naming it', async () => {
        const reply = await put('put-3', aProduct({ id: 'put-3', price: 'cheap' }));
        expect(reply.statusCode).toBe(400);
        expect(reply.json()).toMatchObject({ error: 'invalid_body', details: [{ path: 'price' }] });
        expect(await recordOf('put-3')).toBeNull();
      });

      it('refuses calls without keys', async () => {
        expect((await put('put-4', aProduct(), {})).statusCode).toBe(401);
        expect((await put('put-4', aProduct(), { origin: 'https://loja.example' })).statusCode).toBe(401);
      });

      it('removes with status "removed", and answers 404 for what was never sent', async () => {
        await put('put-5', aProduct({ id: 'put-5' }));
        expect((await put('put-5', { status: 'removed' })).statusCode).toBe(204);
        expect(await indexedIds()).not.toContain('put-5');
        const never = await put('put-never', { status: 'removed' });
        expect(never.statusCode).toBe(404);
        expect(never.json()).toMatchObject({ error: 'not_found' });
      });

      it('leaves the last of many concurrent writes in the record and in the index alike', async () => {
        const prices = Array.from({ length: 20 }, (_, index) => index + 1);
        const replies = await Promise.all(prices.map((price) => put('put-6', aProduct({ id: 'put-6', price }))));
        const versions = replies.map((reply) => reply.json<{ version: number }>().version);
        expect(versions).toEqual([...versions].sort((a, b) => a - b));
        const [hit] = (await shop.indexed()).filter(({ productId }) => productId === 'put-6');
        const record = await recordOf('put-6');
        expect(hit?.version).toBe(Math.max(...versions));
        expect(record?.base).toMatchObject({ version: hit?.version, sent: { price: 20 } });
      });

      it('tells who waits for products', async () => {
        await put('put-7', aProduct({ id: 'put-7' }));
        expect(shop.arrivals.told).toContainEqual(['put-7']);
      });
    });

    describe('sales channels', () => {
      it('overrides in one channel, and removes from one', async () => {
        await put('ch-1', aProduct({ id: 'ch-1' }));
        expect((await put('ch-1', { salesChannel: 'app', price: 5 })).statusCode).toBe(202);
        expect((await remove('ch-1', '?salesChannel=web')).statusCode).toBe(204);
        expect(await indexedIds('app')).toContain('ch-1');
        expect(await indexedIds('web')).not.toContain('ch-1');
        expect(await indexedIds()).toContain('ch-1');
        expect(await shop.app.get(CatalogRecords).channels(shop.store.id)).toEqual(['app', 'web']);
      });

      it('shows a product written only for a channel there alone', async () => {
        await put('ch-2', aProduct({ id: 'ch-2', salesChannel: 'app' }));
        expect(await indexedIds('app')).toContain('ch-2');
        expect(await indexedIds()).not.toContain('ch-2');
        expect((await remove('ch-2', '?salesChannel=web')).statusCode).toBe(404);
      });
    });

    describe('DELETE /v7/products/:id', () => {
      it('removes once and for all, again without harm', async () => {
        await put('del-1', aProduct({ id: 'del-1' }));
        expect((await remove('del-1')).statusCode).toBe(204);
        expect((await remove('del-1')).statusCode).toBe(204);
        expect(await indexedIds()).not.toContain('del-1');
      });

      it('answers 404 for a product never sent', async () => {
        const reply = await remove('del-never');
        expect(reply.statusCode).toBe(404);
        expect(reply.json()).toMatchObject({ code: 404, error: 'not_found' });
      });
    });

    describe('POST /v7/products', () => {
      it('takes the good ones of a list and says what is wrong with the others', async () => {
        const products = [
          aProduct({ id: 'many-1' }),
          aProduct({ id: 'many-2', price: [] }),
          aProduct({ id: undefined }),
          'no product',
          { id: 'many-never', status: 'removed' },
          aProduct({ id: 6 }),
        ];
        const reply = await post({ products });
        expect(reply.statusCode).toBe(200);
        expect(reply.json()).toEqual({
          accepted: 2,
          rejected: [
            { line: 2, id: 'many-2', error: 'invalid_body', message: expect.stringContaining('price') as string },
            { line: 3, error: 'invalid_body', message: expect.stringContaining('id') as string },
            { line: 4, error: 'invalid_body', message: expect.any(String) as string },
            { line: 5, id: 'many-never', error: 'not_found', message: expect.any(String) as string },
          ],
        });
        expect(await indexedIds()).toEqual(expect.arrayContaining(['many-1', '6']));
      });

      it('refuses more than 1,000 at once, and what is no list', async () => {
        const products = Array.from({ length: 1001 }, (_, index) => ({ id: `x${index}` }));
        expect((await post({ products })).statusCode).toBe(400);
        expect((await post({ products: {} })).json()).toMatchObject({
          error: 'invalid_body',
          details: [{ path: 'products' }],
        });
        expect((await post({})).statusCode).toBe(400);
      });

      it('reads NDJSON line by line, and bad lines stop nothing', async () => {
        const lines = [
          JSON.stringify(aProduct({ id: 'line-1' })),
          '{ not json',
          '',
          JSON.stringify(aProduct({ id: 'line-4', description: 'x'.repeat(1_000_000) })),
          JSON.stringify(aProduct({ id: 'line-5', description: 'x'.repeat(1_100_000) })),
          '['.repeat(40) + ']'.repeat(40),
          JSON.stringify(aProduct({ id: 'line-7' })),
        ];
        const reply = await postLines(lines.join('\n'));
        expect(reply.statusCode).toBe(200);
        expect(reply.json()).toEqual({
          accepted: 3,
          rejected: [
            { line: 2, error: 'invalid_json', message: expect.any(String) as string },
            { line: 5, error: 'body_too_large', message: expect.any(String) as string },
            { line: 6, error: 'too_deep', message: expect.any(String) as string },
          ],
        });
        expect(await indexedIds()).toEqual(expect.arrayContaining(['line-1', 'line-4', 'line-7']));
      });

      it('takes a stream of any length', async () => {
        const count = 650;
        const lines = function* (): Generator<string> {
          for (let index = 0; index < count; index += 1)
            yield `${JSON.stringify(aProduct({ id: `stream-${index}` }))}\n`;
        };
        const reply = await postLines(Readable.from(lines()));
        expect(reply.json()).toEqual({ accepted: count, rejected: [] });
        expect((await shop.engine.status(shop.store.id)).documents).toBeGreaterThanOrEqual(count);
      });

      it('takes an empty stream', async () => {
        expect((await postLines('\n')).json()).toEqual({ accepted: 0, rejected: [] });
      });

      it('refuses feeds in other formats', async () => {
        const headers = { ...shop.keys, 'content-type': 'text/csv' };
        const reply = await shop.app.inject({ method: 'POST', url: '/v7/products', headers, payload: 'id;name\n1;x' });
        expect(reply.statusCode).toBe(415);
      });
    });
  });
});
