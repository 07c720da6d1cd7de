import { Body, Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import { CurrentCaller, StoreAccess } from '../../../src/stores/store-access';
import type { Caller } from '../../../src/stores/store';
import { startTestApp, type TestApp } from '../http/support';
import { describeModes } from '../../support/modes';

@Controller()
class ProbeController {
  @Post('v7/events/views/:name')
  @StoreAccess('events')
  @HttpCode(200)
  event(@CurrentCaller() { store, method }: Caller): object {
    return { store: store.apiKey, method };
  }

  @Get(['searchapi/v3/queries', 'engage/search/v3/search'])
  @StoreAccess('search')
  search(@CurrentCaller() { store, method }: Caller): object {
    return { store: store.apiKey, method };
  }

  @Put('v7/products/:id')
  @StoreAccess('catalog')
  product(@CurrentCaller() { store, method }: Caller, @Body() body: unknown): object {
    return { store: store.apiKey, method, hasBody: body !== undefined };
  }

  @Put('v7/users/:id')
  @StoreAccess('users')
  user(@CurrentCaller() { store, method }: Caller): object {
    return { store: store.apiKey, method };
  }
}

const HOME = 'https://www.acme.example';
const STRANGER = 'https://www.evil.example';
const OTHER = 'https://shop.other.example';

describeModes((mode) => {
  let service: TestApp;
  let secret: string;

  beforeAll(async () => {
    service = await startTestApp(mode, { controllers: [ProbeController] });
    ({ secretKey: secret } = await service.stores.create({
      apiKey: 'acme',
      name: 'Acme',
      origins: ['www.acme.example', '.acme-outlet.example'],
    }));
    await service.stores.create({ apiKey: 'other', name: 'Other', origins: ['shop.other.example'] });
  });

  afterAll(() => service.close());
  // Failed calls are counted; each test begins with a clean minute.
  beforeEach(() => service.clock.advance(60_000));

  interface Keys {
    apiKey?: unknown;
    secretKey?: unknown;
  }

  interface Call {
    keys?: Keys;
    headers?: Record<string, string>;
    origin?: string;
  }

  interface Way {
    name: string;
    send(call: Call): Promise<{ statusCode: number; body: string; headers: Record<string, unknown> }>;
  }

  const origin = (call: Call): Record<string, string> => (call.origin === undefined ? {} : { origin: call.origin });

  function viaBody(method: 'POST' | 'PUT', url: string): Way['send'] {
    return (call) =>
      service.app.inject({
        method,
        url,
        payload: { pid: 'p1', ...call.keys },
        headers: { ...origin(call), ...call.headers },
      });
  }

  function viaQuery(url: string): Way['send'] {
    return (call) => {
      const query = new URLSearchParams({ terms: 'x', ...(call.keys as Record<string, string>) });
      return service.app.inject({
        method: 'GET',
        url: `${url}?${query}`,
        headers: { ...origin(call), ...call.headers },
      });
    };
  }

  function viaHeaders(url: string): Way['send'] {
    return (call) => {
      const { apiKey, secretKey } = call.keys ?? {};
      const headers = {
        ...(apiKey === undefined ? {} : { 'x-api-key': String(apiKey) }),
        ...(secretKey === undefined ? {} : { 'x-secret-key': String(secretKey) }),
      };
      return service.app.inject({ method: 'GET', url, headers: { ...origin(call), ...headers, ...call.headers } });
    };
  }

  const both: Way[] = [
    { name: 'events', send: viaBody('POST', '/v7/events/views/product') },
    { name: 'the first search path, by query', send: viaQuery('/searchapi/v3/queries') },
    { name: 'the first search path, by headers', send: viaHeaders('/searchapi/v3/queries') },
    { name: 'the second search path, by query', send: viaQuery('/engage/search/v3/search') },
    { name: 'the second search path, by headers', send: viaHeaders('/engage/search/v3/search') },
  ];
  const keysOnly: Way[] = [
    { name: 'catalog', send: viaBody('PUT', '/v7/products/p1') },
    { name: 'users', send: viaBody('PUT', '/v7/users/u1') },
  ];

  describe.each(both)('$name', ({ send }) => {
    test.each([
      ['no Origin', undefined],
      ['a whitelisted Origin', HOME],
      ['a strange Origin', STRANGER],
      ["another store's Origin", OTHER],
    ])('valid keys with %s are let in as keys', async (_name, from) => {
      const reply = await send({ keys: { apiKey: 'acme', secretKey: secret }, ...(from ? { origin: from } : {}) });
      expect(JSON.parse(reply.body)).toEqual({ store: 'acme', method: 'keys' });
    });

    test('every kind of bad key is the same 401, whatever the Origin', async () => {
      const bad: Keys[] = [
        { apiKey: 'acme', secretKey: 'wrong' },
        { apiKey: 'nobody', secretKey: secret },
        { apiKey: 'other', secretKey: secret },
        { secretKey: secret },
      ];
      const replies = [];
      for (const keys of bad) {
        replies.push(await send({ keys }), await send({ keys, origin: HOME }), await send({ keys, origin: STRANGER }));
      }
      expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([401]));
      const bodies = replies.map(({ body }) => ({ ...(JSON.parse(body) as object), requestId: '' }));
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
      expect(bodies[0]).toMatchObject({ code: 401, error: 'invalid_keys' });
    });

    test.each([HOME, 'https://a.acme-outlet.example:8443', 'www.acme.example'])(
      'the whitelisted Origin %s needs no keys',
      async (from) => {
        expect(JSON.parse((await send({ origin: from })).body)).toEqual({ store: 'acme', method: 'origin' });
      },
    );

    test('a whitelisted Origin with its own apiKey is let in, with another it is 403', async () => {
      expect((await send({ origin: HOME, keys: { apiKey: 'acme' } })).statusCode).toBe(200);
      expect((await send({ origin: HOME, keys: { apiKey: 'other' } })).statusCode).toBe(403);
      expect((await send({ origin: HOME, keys: { apiKey: 'nobody' } })).statusCode).toBe(403);
    });

    test('empty keys count as absent', async () => {
      expect((await send({ origin: HOME, keys: { apiKey: '', secretKey: '' } })).statusCode).toBe(200);
    });

    test.each([STRANGER, 'null', 'https://evilwww.acme.example', 'https://www.acme.example.evil.test'])(
      'the Origin %s is a stranger: 403',
      async (from) => {
        const reply = await send({ origin: from });
        expect(JSON.parse(reply.body)).toMatchObject({ code: 403, error: 'origin_not_allowed' });
        expect((await send({ origin: from, keys: { apiKey: 'acme' } })).statusCode).toBe(403);
      },
    );

    test('neither secretKey nor Origin: 401, with and without an apiKey', async () => {
      expect((await send({})).statusCode).toBe(401);
      expect((await send({ keys: { apiKey: 'acme' } })).statusCode).toBe(401);
    });

    test('keys that differ between two places are 400', async () => {
      const headers = { 'x-api-key': 'acme', 'x-secret-key': secret };
      if ((await send({ keys: { apiKey: 'acme', secretKey: secret }, headers })).statusCode !== 200) throw new Error();
      const query = { method: 'GET', url: `/searchapi/v3/queries?apiKey=other`, headers } as const;
      const body = {
        method: 'POST',
        url: '/v7/events/views/product',
        payload: { secretKey: 'other' },
        headers,
      } as const;
      for (const call of [query, body]) {
        const reply = await service.app.inject(call);
        expect(reply.json()).toMatchObject({ code: 400, error: 'conflicting_keys' });
      }
    });
  });

  describe.each(keysOnly)('$name', ({ send }) => {
    test('keys are let in from the body and from the headers', async () => {
      expect((await send({ keys: { apiKey: 'acme', secretKey: secret } })).statusCode).toBe(200);
      expect((await send({ headers: { 'x-api-key': 'acme', 'x-secret-key': secret } })).statusCode).toBe(200);
    });

    test('a whitelisted Origin is not enough: 401', async () => {
      expect((await send({ origin: HOME })).statusCode).toBe(401);
      expect((await send({ origin: HOME, keys: { apiKey: 'acme' } })).statusCode).toBe(401);
      expect((await send({ origin: STRANGER })).statusCode).toBe(401);
      expect((await send({})).statusCode).toBe(401);
    });
  });

  describe('legacy ways to send keys to the search', () => {
    test('one key as a header, the other in the query', async () => {
      const one = await service.app.inject({
        url: `/searchapi/v3/queries?secretkey=${secret}`,
        headers: { 'x-api-key': 'acme', 'x-secret-key': '' },
      });
      const other = await service.app.inject({
        url: '/engage/search/v3/search?APIKEY=acme',
        headers: { 'X-Secret-Key': secret },
      });
      expect([one.statusCode, other.statusCode]).toEqual([200, 200]);
    });

    test('a secret that was percent-encoded twice', async () => {
      const twice = [...secret].map((letter) => `%25${letter.charCodeAt(0).toString(16)}`).join('');
      const reply = await service.app.inject({ url: `/searchapi/v3/queries?apiKey=acme&secretKey=${twice}` });
      expect(reply.statusCode).toBe(200);
    });
  });

  describe('failed authentications', () => {
    test('after 20 a minute from one address over all interfaces, 429 takes the place of 401; valid keys still pass', async () => {
      const call = { url: '/searchapi/v3/queries', remoteAddress: '192.0.2.1' };
      const wrong = { ...call, headers: { 'x-api-key': 'acme', 'x-secret-key': 'wrong' } };
      const event = { ...call, method: 'POST', url: '/v7/events/views/product', payload: {} } as const;
      for (let count = 0; count < 10; count += 1) {
        expect((await service.app.inject(wrong)).statusCode).toBe(401);
        expect((await service.app.inject(event)).statusCode).toBe(401);
      }
      const refused = await service.app.inject(wrong);
      expect(refused.json()).toMatchObject({ code: 429, error: 'too_many_requests' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect((await service.app.inject(event)).statusCode).toBe(429);
      expect((await service.app.inject({ ...wrong, remoteAddress: '192.0.2.2' })).statusCode).toBe(401);
      expect((await service.app.inject({ ...call, headers: { origin: STRANGER } })).statusCode).toBe(403);
      const valid = { ...call, headers: { 'x-api-key': 'acme', 'x-secret-key': secret } };
      expect((await service.app.inject(valid)).statusCode).toBe(200);
      service.clock.advance(60_000);
      expect((await service.app.inject(wrong)).statusCode).toBe(401);
    });

    test('a 403 does not count', async () => {
      for (let count = 0; count < 30; count += 1) {
        const reply = await service.app.inject({ url: '/searchapi/v3/queries', headers: { origin: STRANGER } });
        expect(reply.statusCode).toBe(403);
      }
      expect((await service.app.inject({ url: '/searchapi/v3/queries' })).statusCode).toBe(401);
    });
  });

  describe('limits of a store', () => {
    test('browsers by address, backends for the store', async () => {
      const limits = { originPerMinute: 2, keysPerMinute: 3 };
      const { secretKey } = await service.stores.create({
        apiKey: 'limited',
        name: 'Limited',
        origins: ['limited.example'],
        settings: { limits },
      });
      const browser = (remoteAddress: string): Promise<{ statusCode: number }> =>
        service.app.inject({
          url: '/searchapi/v3/queries',
          remoteAddress,
          headers: { origin: 'https://limited.example' },
        });
      const backend = (): Promise<{ statusCode: number }> =>
        service.app.inject({ url: `/searchapi/v3/queries?apiKey=limited&secretKey=${secretKey}` });
      const seen = [];
      for (const address of ['192.0.2.7', '192.0.2.7', '192.0.2.7', '192.0.2.8'])
        seen.push((await browser(address)).statusCode);
      expect(seen).toEqual([200, 200, 429, 200]);
      expect(
        [await backend(), await backend(), await backend(), await backend()].map((reply) => reply.statusCode),
      ).toEqual([200, 200, 200, 429]);
    });
  });

  test('a secret appears in no log line and no error', async () => {
    await service.app.inject({ url: `/searchapi/v3/queries?apiKey=acme&secretKey=${secret}` });
    const wrong = await service.app.inject({ url: `/searchapi/v3/queries?apiKey=nobody&secretKey=${secret}` });
    const lost = await service.app.inject({ url: `/nowhere?secretKey=${secret}` });
    expect(service.log()).toContain('/searchapi/v3/queries');
    expect(service.log() + wrong.body + lost.body).not.toContain(secret);
  });
});
