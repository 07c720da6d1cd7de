import { gzipSync } from 'node:zlib';
import { encode } from 'iconv-lite';
import { aProduct } from '../../builders/a-product';
import { aZip } from '../../builders/a-zip';
import { describeModes } from '../../support/modes';
import type { Json } from '../../support/store-client';
import { FeedShop, ndjson } from './support';

const counts = { accepted: 0, unchanged: 0, removed: 0, rejected: 0, errors: [] };
const products = (ids: readonly string[], changes: Json = {}): Json[] => ids.map((id) => aProduct({ id, ...changes }));

describeModes((mode) => {
  let shop: FeedShop;
  beforeAll(async () => {
    shop = await FeedShop.start(mode);
  });
  afterAll(() => shop.close());

  test('one that writes nothing ends with its report, also where there is no product yet', async () => {
    const result = await shop.imported(ndjson([{ id: 'x', price: {} }]), { mode: 'partial' });
    expect(result).toMatchObject({ accepted: 0, rejected: 1 });
  });

  describe('a full import', () => {
    test('makes the catalog what the feed is, and writes only what differs', async () => {
      const feed = ndjson(products(['a', 'b', 'c', 'd']));
      expect(await shop.imported(feed, { mode: 'full' })).toEqual({ ...counts, accepted: 4 });
      const version = (await shop.store.put(aProduct({ id: 'z' }))).version;
      expect(await shop.imported(feed, { mode: 'full' })).toEqual({ ...counts, unchanged: 4, removed: 1 });
      const after = [...products(['a', 'b', 'e']), ...products(['c'], { price: 5 })];
      expect(await shop.imported(ndjson(after), { mode: 'full' })).toEqual({
        ...counts,
        accepted: 2,
        unchanged: 2,
        removed: 1,
      });
      expect(await shop.store.order({ pids: ['a', 'b', 'c', 'd', 'e', 'z'] })).toEqual(['a', 'b', 'c', 'e']);
      // Three products differed, and two were removed: nothing else was written.
      expect((await shop.store.put(aProduct({ id: 'z' }))).version).toBeGreaterThan(version);
    });

    test('does not take more than half of the catalog away, unless it is told to', async () => {
      await shop.imported(ndjson(products(['a', 'b', 'c', 'd'])), { mode: 'full', force: 'true' });
      const feed = ndjson(products(['a'], { price: 1 }));
      expect(await shop.refusal(feed, { mode: 'full' })).toMatch(
        'The feed lacks 3 of the 4 products in the catalog, more than half: nothing was changed',
      );
      expect(await shop.store.order({ pids: ['a', 'b', 'c', 'd'] })).toHaveLength(4);
      expect((await shop.product('a'))?.['price']).not.toBe(1);
      expect(await shop.imported(feed, { mode: 'full', force: 'true' })).toEqual({
        ...counts,
        accepted: 1,
        removed: 3,
      });
      expect(await shop.store.order({ pids: ['a', 'b', 'c', 'd'] })).toEqual(['a']);
    });

    test('takes nothing away where no product could be read, whatever it is told', async () => {
      await shop.imported(ndjson(products(['a', 'b'])), { mode: 'full', force: 'true' });
      for (const feed of ['[]', '[{"name":"product"}, null]', '<rss><channel/></rss>']) {
        expect(await shop.refusal(feed, { mode: 'full', force: 'true' })).toMatch(
          'No product could be read in the feed',
        );
      }
      expect(await shop.store.order({ pids: ['a', 'b'] })).toHaveLength(2);
      const one = ndjson(products(['a'], { price: 2 }));
      expect(await shop.imported(one, { mode: 'full', force: 'true' })).toMatchObject({ removed: 1 });
    });
  });

  describe('a partial import', () => {
    test('merges the fields sent into each product, and leaves the others alone', async () => {
      await shop.imported(ndjson(products(['a', 'b'], { stock: 3, price: 20 })), { mode: 'full', force: 'true' });
      const result = await shop.imported(
        ndjson([
          { id: 'a', price: 15 },
          { id: 'b', price: 20 },
          { id: 'n', stock: 1 },
        ]),
      );
      expect(result).toEqual({ ...counts, accepted: 2, unchanged: 1 });
      expect(await shop.product('a')).toMatchObject({ price: 15, skus: [{ properties: { stock: 3 } }] });
      expect(await shop.store.order({ pids: ['a', 'b', 'n'] })).toEqual(['a', 'b']);
    });

    test('names the lines that are refused and takes the others', async () => {
      const lines = [
        JSON.stringify({ id: 'a', price: 11 }),
        '{ "id": "b", ',
        JSON.stringify({ id: 'c', price: 'eleven' }),
        JSON.stringify({ price: 3 }),
        JSON.stringify({ id: 'a', price: 12 }),
      ];
      const result = await shop.imported(lines.join('\n'), { format: 'ndjson' });
      expect(result).toMatchObject({ accepted: 1, rejected: 4 });
      expect(result['errors']).toEqual([
        expect.objectContaining({ line: 1, id: 'a', error: 'repeated', text: '{"id":"a","price":11}' }),
        expect.objectContaining({ line: 2, error: 'invalid_json', text: '{ "id": "b", ' }),
        expect.objectContaining({ line: 3, id: 'c', error: 'invalid_body', text: '{"id":"c","price":"eleven"}' }),
        expect.objectContaining({ line: 4, error: 'invalid_body', text: '{"price":3}' }),
      ]);
      expect((await shop.product('a'))?.['price']).toBe(12);
    });
  });

  test('a dry run says what would happen, and nothing happens', async () => {
    await shop.imported(ndjson(products(['a', 'b', 'c'], { price: 10 })), { mode: 'full', force: 'true' });
    const feed = ndjson([
      ...products(['a'], { price: 8 }),
      ...products(['b'], { price: 10 }),
      aProduct({ id: 'new' }),
      {},
    ]);
    const result = await shop.imported(feed, { mode: 'full', dryRun: 'true' });
    expect(result).toMatchObject({ accepted: 2, unchanged: 1, removed: 1, rejected: 1 });
    expect(result['samples']).toMatchObject({
      added: [{ id: 'new' }],
      changed: [{ id: 'a', changes: [{ path: 'price', from: 10, to: 8 }] }],
      removed: ['c'],
      rejected: [{ line: 4 }],
    });
    const alone = await shop.imported(ndjson([{ id: 'a' }]), { mode: 'full', dryRun: 'true' });
    expect(alone['refused']).toMatch('The feed lacks 2 of the 3 products');
    expect(await shop.store.order({ pids: ['a', 'b', 'c', 'new'] })).toEqual(['a', 'b', 'c']);
    expect((await shop.product('a'))?.['price']).toBe(10);
  });

  test('a table of a spreadsheet: Windows-1252, semicolons, decimal commas', async () => {
    const table = [
      'Código;Nome;Preço;Imagem;Categoria;Link;Disponibilidade;tags;Cor',
      't1;"Tênis ""Pé"" leve";1.299,90;https://i/1.jpg;Calçados > Tênis;https://l/1;Em estoque;novo|verão;Açaí',
      't2;Meia;9,90;https://i/2.jpg;Calçados > Meias;https://l/2;in_stock;;',
    ].join('\r\n');
    const result = await shop.imported(encode(table, 'windows-1252'), { mode: 'partial' });
    expect(result).toMatchObject({ accepted: 1, rejected: 1 });
    expect(result['errors']).toEqual([expect.objectContaining({ line: 2, id: 't1', error: 'invalid_body' })]);
    const repaired = encode(table.replace('Em estoque', 'available'), 'windows-1252');
    expect(await shop.imported(gzipSync(repaired))).toMatchObject({ accepted: 1, unchanged: 1 });
    expect(await shop.product('t1')).toMatchObject({
      name: 'Tênis "Pé" leve',
      price: 1299.9,
      categories: [{ name: 'Calçados' }, { name: 'Tênis' }],
      details: { Cor: ['Açaí'] },
    });
  });

  test('a Google feed: groups whose items are apart, sale prices, other currencies', async () => {
    const item = (id: string, fields: Json): string =>
      `<item><g:id>${id}</g:id><title>Camisa</title><link>https://l/${id}</link><g:image_link>https://i/${id}</g:image_link>
       <g:product_type>Roupas &gt; Camisas</g:product_type><g:availability>in_stock</g:availability>
       ${Object.entries(fields)
         .map(([name, value]) => `<g:${name}>${String(value)}</g:${name}>`)
         .join('')}</item>`;
    const feed = `<?xml version="1.0"?><rss xmlns:g="http://base.google.com/ns/1.0"><channel><title>Loja</title>
      ${item('c-red', { item_group_id: 'camisa', price: '100.00 BRL', sale_price: '80.00 BRL', color: 'red' })}
      ${item('solo', { price: '5 BRL', gtin: '7891234567895' })}
      ${item('c-blue', { item_group_id: 'camisa', price: '100.00 BRL', color: 'blue' })}
      ${item('c-usd', { item_group_id: 'camisa', price: '20.00 USD', color: 'green' })}
      </channel></rss>`;
    const result = await shop.imported(feed);
    expect(result).toMatchObject({ accepted: 2, rejected: 1 });
    expect(result['errors']).toMatchObject([{ id: 'c-usd', message: expect.stringContaining('is in USD') as string }]);
    expect(await shop.product('camisa')).toMatchObject({
      price: 80,
      oldPrice: 100,
      specs: { color: [{ label: 'red' }, { label: 'blue' }] },
      skus: [
        { sku: 'c-red', properties: { price: 80, oldPrice: 100 } },
        { sku: 'c-blue', properties: { price: 100 } },
      ],
    });
    expect(await shop.product('solo')).toMatchObject({ price: 5 });
  });

  test('what can’t be read fails, says why, and changes nothing', async () => {
    await shop.imported(ndjson(products(['a', 'b'])), { mode: 'full', force: 'true' });
    const packed = gzipSync(ndjson(products(['a', 'c', 'd'], { price: 1 })));
    expect(await shop.refusal(packed.subarray(0, -20))).toBe(
      'The gzip is cut off: it ends in the middle. Send the whole file',
    );
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><channel><item>&b;</item></channel></rss>';
    expect(await shop.refusal(bomb)).toMatch('has a document type (DOCTYPE), which is not accepted');
    expect(await shop.refusal(aZip({ name: '../../etc/feed.csv', content: 'id\na' }))).toMatch(/^The zip is refused: /);
    expect(await shop.refusal('[{"id":"a","price":1},{"id":"c"', { mode: 'full' })).toMatch('The JSON is cut off');
    expect(await shop.store.order({ pids: ['a', 'b', 'c', 'd'] })).toEqual(['a', 'b']);
    expect((await shop.product('a'))?.['price']).not.toBe(1);
    const zip = aZip(
      { name: '__MACOSX/x', content: 'x' },
      { name: 'feed/products.json', content: '{"products":[{"id":"a","price":2}]}' },
    );
    expect(await shop.imported(zip)).toMatchObject({ accepted: 1 });
  });

  test('imports of a store come one after the other', async () => {
    const feeds = [1, 2, 3].map((price) => ndjson(products(['a', 'b'], { price })));
    const jobs: string[] = [];
    for (const feed of feeds) {
      shop.app.clock.advance(1);
      jobs.push(await shop.staged(feed));
    }
    const ended = await Promise.all(jobs.map((job) => shop.ended(job)));
    expect(ended.map(({ result }) => result)).toEqual(jobs.map(() => ({ ...counts, accepted: 2 })));
    expect((await shop.product('a'))?.['price']).toBe(3);
  });

  test('parameters that are wrong are refused before the feed is kept', async () => {
    const call = (query: Record<string, string>, headers: Record<string, string> = {}) =>
      shop.store.admin({
        method: 'POST',
        path: '/imports',
        query,
        body: '{}',
        headers: { 'content-type': 'text/csv', ...headers },
      });
    expect((await call({})).json).toMatchObject({ code: 400, error: 'invalid_parameter' });
    expect((await call({ mode: 'some' })).json['message']).toMatch('one of full, partial');
    expect((await call({ mode: 'full', format: 'xls' })).json['message']).toMatch('one of ndjson, json, csv');
    expect((await call({ mode: 'full' }, { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(415);
  });
});
