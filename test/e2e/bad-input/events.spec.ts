import { expectError } from '../../support/error-reply';
import { type Refusal, long, nested, refused } from '../../support/refused';
import type { Call } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';
import { describeModes } from '../../support/modes';

describeModes((mode) => {
  let service: WholeApp;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    await service.store('loja');
  });
  afterAll(() => service.close());

  const check = (call: Call, refusal: Refusal): Promise<void> => refused(service.send, call, refusal);

  describe('events', () => {
    const post = (name: string, body: unknown, headers: Record<string, string> = {}): Call => ({
      method: 'POST',
      path: `/v7/events/views/${name}`,
      headers: { origin: 'https://loja.example', ...headers },
      body,
    });
    const json = { 'content-type': 'application/json' };
    const items = (count: number): object[] => Array.from({ length: count }, (_, n) => ({ pid: `p${n}`, quantity: 1 }));
    const cases: [name: string, call: Call, ...refusal: Refusal][] = [
      ['an unknown name', post('bought', {}), 'invalid_parameter', null, /transaction/],
      ['a name of an object’s own', post('constructor', {}), 'invalid_parameter', null, /transaction/],
      ['an empty name', post('%20', {}), 'invalid_parameter', null, /transaction/],
      ['no JSON', post('product', '{"pid": ', json), 'invalid_json'],
      ['half of a text', post('product', '{"pid": "a', json), 'invalid_json'],
      ['bytes that are no text', post('product', Buffer.from([0xff, 0xfe, 0x00, 0x7b]), json), 'invalid_json'],
      ['a number for a body', post('product', '7', json), 'invalid_body'],
      ['null for a body', post('product', 'null', json), 'invalid_body'],
      ['a list for a body', post('product', '[]', json), 'invalid_body'],
      ['a text for a body', post('product', '"pid"', json), 'invalid_body'],
      ['nothing', post('product', undefined), 'invalid_body', 'pid'],
      ['a body 33 deep', post('product', `{"pid":"a","x":${nested(32)}}`, json), 'too_deep', null, /32/],
      ['a body far too deep', post('product', `{"pid":"a","x":${nested(20_000)}}`, json), 'too_deep'],
      ['a prototype', post('product', '{"pid":"a","__proto__":{"admin":true}}', json), 'invalid_json'],
      ['a prototype in disguise', post('product', '{"pid":"a","\\u005f_proto__":{}}', json), 'invalid_json'],
      ['a prototype deep down', post('cart', '{"items":[{"pid":"a","__proto__":{}}]}', json), 'invalid_json'],
      ['a body too large', post('product', { pid: 'a', x: long(65_536) }), 'body_too_large', null, /large|65/],
      ['XML', post('product', '<pid/>', { 'content-type': 'application/xml' }), 'unsupported_media_type'],
      [
        'a form',
        post('product', 'pid=1', { 'content-type': 'application/x-www-form-urlencoded' }),
        'unsupported_media_type',
      ],
      [
        'parts',
        post('product', '--b--', { 'content-type': 'multipart/form-data; boundary=b' }),
        'unsupported_media_type',
      ],
      ['a strange type', post('product', '{"pid":"1"}', { 'content-type': 'text/html' }), 'unsupported_media_type'],
      [
        'NDJSON',
        post('product', '{"pid":"1"}\n', { 'content-type': 'application/x-ndjson' }),
        'unsupported_media_type',
      ],
      ['gzip', post('product', 'x', { ...json, 'content-encoding': 'gzip' }), 'unsupported_media_type'],
      ['a product without pid', post('product', { userId: 'a' }), 'invalid_body', 'pid'],
      ['an empty pid', post('product', { pid: '' }), 'invalid_body', 'pid'],
      ['a pid too long', post('product', { pid: long(257) }), 'invalid_body', 'pid', /256/],
      ['NUL in a pid', post('product', { pid: 'a\0b' }), 'invalid_body', 'pid', /NUL/],
      ['half a surrogate pair for a pid', post('product', { pid: '\ud800' }), 'invalid_body', 'pid'],
      ['an object for a pid', post('product', { pid: {} }), 'invalid_body', 'pid'],
      ['true for a pid', post('product', { pid: true }), 'invalid_body', 'pid'],
      ['a text for a price', post('product', { pid: 'a', price: 'cheap' }), 'invalid_body', 'price'],
      ['no time for a timestamp', post('product', { pid: 'a', timestamp: 'yesterday' }), 'invalid_body', 'timestamp'],
      ['a time out of this world', post('product', { pid: 'a', timestamp: 1e300 }), 'invalid_body', 'timestamp'],
      ['an eventId too long', post('product', { pid: 'a', eventId: long(300) }), 'invalid_body', 'eventId'],
      ['numbers in lists for categories', post('category', { categories: [[1]] }), 'invalid_body', 'categories.0'],
      ['a search without query', post('search', { items: [] }), 'invalid_body', 'query'],
      ['a blank query', post('search', { query: '  ' }), 'invalid_body', 'query'],
      ['an object for a query', post('emptysearch', { query: {} }), 'invalid_body', 'query'],
      ['a cart without items', post('cart', {}), 'invalid_body', 'items'],
      ['an object for items', post('cart', { items: { pid: 'a' } }), 'invalid_body', 'items'],
      ['an item without pid', post('cart', { items: [{ pid: 'a' }, { sku: 'b' }] }), 'invalid_body', 'items.1.pid'],
      ['a text for an item', post('cart', { items: ['a'] }), 'invalid_body', 'items.0'],
      [
        'a text for a quantity',
        post('cart', { items: [{ pid: 'a', quantity: 'x' }] }),
        'invalid_body',
        'items.0.quantity',
      ],
      ['501 items', post('cart', { items: items(501) }), 'invalid_body', 'items', /500/],
      ['an order without id', post('transaction', { items: items(1) }), 'invalid_body', 'id'],
      ['an order without items', post('transaction', { id: '1' }), 'invalid_body', 'items'],
      ['a text for a total', post('transaction', { id: '1', items: [], total: 'much' }), 'invalid_body', 'total'],
    ];

    test.each(cases)('%s is refused', (_name, call, ...refusal) => check(call, refusal));

    test('every mistake is named', async () => {
      const body = { items: [{}, { pid: 'a', price: 'x' }], timestamp: 'x' };
      const { paths } = expectError(await service.send(post('transaction', body)));
      expect(paths.sort()).toEqual(['id', 'items.0.pid', 'items.1.price', 'timestamp']);
    });

    test.each<[string, string, object]>([
      ['numbers for ids', 'product', { pid: 7, userId: 8, deviceId: 9, eventId: 10 }],
      ['half a surrogate pair for a shopper', 'product', { pid: 'a', userId: '\udfff' }],
      ['NUL in the ids of shoppers', 'product', { pid: 'a', userId: 'x\0y', deviceId: '\0' }],
      ['both in other fields', 'product', { pid: 'a', url: '\ud800\0', info: { '\0': '\ud800' } }],
      ['the largest numbers', 'cart', { items: [{ pid: 'a', quantity: 1e308, price: '1e308' }], userId: 'x' }],
      ['less than nothing', 'cart', { items: [{ pid: 'a', quantity: -5, price: -1 }], userId: 'x' }],
      ['numbers as text', 'product', { pid: 'a', price: '12.50', user: { id: 12 } }],
      ['odd shoppers', 'product', { pid: 'a', user: 'x', identity: [], deviceId: {}, userId: long(300) }],
      ['unknown fields', 'product', { pid: 'a', constructor: { prototype: 1 }, length: -1, toString: null }],
      ["another event's fields, whatever is in them", 'product', { pid: 'a', items: 'x', categories: 7, userId: 'x' }],
      ["another event's lists", 'home', { pid: {}, items: [{ pid: [] }], categories: [[]], userId: 'x' }],
      ['500 items', 'cart', { items: items(500) }],
      ['31 levels', 'product', { pid: 'a', x: JSON.parse(nested(31)) as unknown }],
      ['no items in a cart', 'cart', { items: [] }],
      ['a far future', 'product', { pid: 'a', userId: 'f', timestamp: 8.64e15 }],
      ['a far past', 'product', { pid: 'a', userId: 'f', timestamp: -8.64e15 }],
    ])('%s are accepted: 204 without a body', async (_name, name, body) => {
      const reply = await service.send(post(name, body));
      expect([reply.status, reply.text]).toEqual([204, '']);
    });
  });
});
