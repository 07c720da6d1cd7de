import { VELOZ } from '../../builders/a-shop';
import { ENGAGE, type Json, SEARCH, type StoreClient } from '../../support/store-client';
import type { WholeApp } from '../../support/whole-app';
import { startShop } from '../../support/a-started-shop';
import { describeModes } from '../../support/modes';

/** What clients already in the field rely on: the lines of section 11 of the wire contract, by number. */
describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    ({ service, loja } = await startShop(mode, [], { origins: ['.loja.example'] }));
  });
  afterAll(() => service.close());

  async function ask(path: string, headers: Record<string, string> = loja.headers): Promise<Json & { size: number }> {
    const reply = await service.send({ path, headers });
    expect([path, reply.status, reply.text.slice(0, 200)]).toEqual([path, 200, expect.anything()]);
    return reply.json as Json & { size: number };
  }

  describe.each([ENGAGE, SEARCH])('line 1: parameters on %s', (path) => {
    test('names in any casing, lists as key[] and repeated, empty and unknown ones ignored', async () => {
      const plain = await ask(
        `${path}?terms=tenis&resultsPerPage=3&page=2&sortBy=pid&filter=brand:Veloz&filter=brand:Calma`,
      );
      const odd = await ask(
        `${path}?TERMS=tenis&resultsperpage=3&Page=2&SORTBY=pid&filter[]=brand:Veloz&filter[]=brand:Calma&filternames=1` +
          '&salesChannel=&deviceId=undefined&userId=null&pids=&showOnlyAvailable=NaN&foo=bar&_=1700000000',
      );
      const ids = ({ products }: Json): unknown[] => (products as { id: string }[]).map(({ id }) => id);
      expect(ids(odd)).toEqual(ids(plain));
      expect(ids(odd)).toHaveLength(3);
      expect(odd.size).toBe(plain.size);
      expect((odd['filters'] as Json[])[0]).toHaveProperty('name');
    });

    test('keys in the query, in headers, or one in each', async () => {
      const { apiKey, secretKey } = loja.keys;
      for (const [query, headers] of [
        [`&apiKey=${apiKey}&secretKey=${secretKey}`, {}],
        [`&apikey=${apiKey}&SECRETKEY=${secretKey}`, {}],
        [`&apiKey=${apiKey}`, { 'x-secret-key': secretKey }],
        [`&secretKey=${secretKey}`, { 'x-api-key': apiKey }],
        [`&apiKey=${apiKey}&secretKey=${secretKey}`, { 'x-api-key': '', 'x-secret-key': '' }],
        [`&apiKey=${apiKey}&secretKey=${encodeURIComponent(encodeURIComponent(secretKey))}`, {}],
      ] as [string, Record<string, string>][]) {
        expect((await ask(`${path}?terms=tenis${query}`, headers)).size).toBe(24);
      }
    });

    test('an apiKey beside a whitelisted Origin needs no secret, and an empty secret is none', async () => {
      const headers = { origin: 'https://www.loja.example', 'x-secret-key': '' };
      expect((await ask(`${path}?terms=tenis&apiKey=loja&secretKey=`, headers)).size).toBe(24);
    });
  });

  test.each([
    '',
    '&deviceId=&userId=&source=',
    `&deviceId=${'x'.repeat(999)}&userId=%00&source=fridge`,
    '&source=a&source=b',
  ])('line 2: nothing fails when deviceId, userId or source is missing or odd: %s', async (odd) => {
    expect((await ask(`${ENGAGE}?terms=tenis${odd}`)).size).toBe(24);
  });

  describe('the nearest value', () => {
    const paths = ({ warnings = [] }: Json): string[] => (warnings as { path: string }[]).map(({ path }) => path);

    test.each([
      ['page=0', 'page=1', 'page'],
      ['page=-3', 'page=1', 'page'],
      ['resultsPerPage=500', 'resultsPerPage=100', 'resultsPerPage'],
      ['resultsPerPage=-1', 'resultsPerPage=0', 'resultsPerPage'],
      ['hide=prices&hide=sort', 'hide=sort', 'hide'],
      ['filter=d:999999:999998', 'resultsPerPage=24', 'filter'],
      ['filter=c:999999:1:5:10&filter=brand:Veloz', 'filter=brand:Veloz', 'filter'],
    ])('of %s is %s, told in warnings and in links', async (sent, taken, path) => {
      const [odd, plain] = [await ask(`${SEARCH}?terms=tenis&${sent}`), await ask(`${SEARCH}?terms=tenis&${taken}`)];
      const shown = ({ size, products }: Json): unknown => [size, (products as Json[]).map(({ id }) => id)];
      expect(shown(odd)).toEqual(shown(plain));
      expect(paths(odd)).toEqual([path]);
      expect(plain).not.toHaveProperty('warnings');
      const { first } = odd['pagination'] as { first: string };
      expect(first).not.toContain(sent.split('&')[0]?.replaceAll(':', '%3A'));
    });

    test('a filter counts as given where all of it is ignored, and is enough on every address', async () => {
      for (const path of [ENGAGE, SEARCH]) {
        expect(paths(await ask(`${path}?filter=d:999999:999998`))).toEqual(['filter']);
        expect((await ask(`${path}?filter=brand:Veloz`)).size).toBeGreaterThan(0);
      }
    });
  });

  test('a trailing slash names the same route', async () => {
    for (const path of [ENGAGE, SEARCH]) expect((await ask(`${path}/?terms=tenis`)).size).toBe(24);
    expect((await service.send({ path: '/health/live/' })).status).toBe(200);
  });

  test('a search without an Origin header may name it, and only a search may', async () => {
    const named = `${ENGAGE}?terms=tenis&apiKey=loja&origin=`;
    expect((await ask(`${named}https%3A%2F%2Fwww.loja.example`, {})).size).toBe(24);
    expect((await service.send({ path: `${named}https%3A%2F%2Fevil.example` })).status).toBe(403);
    const strange = { origin: 'https://evil.example' };
    expect((await service.send({ path: `${named}https%3A%2F%2Fwww.loja.example`, headers: strange })).status).toBe(403);
    const event = { method: 'POST', path: '/v7/events/views/home?origin=www.loja.example', body: { userId: 'u' } };
    expect((await service.send(event)).status).toBe(401);
  });

  describe('line 10: events', () => {
    const post = (
      body: unknown,
      headers: Record<string, string> = {},
      name = 'product',
    ): ReturnType<typeof service.send> =>
      service.send({
        method: 'POST',
        path: `/v7/events/views/${name}`,
        headers: { origin: 'https://www.loja.example', ...headers },
        body,
      });

    test('are answered 204 with an empty body, again and again, and count once', async () => {
      const event = { apiKey: 'loja', user: { id: 7 }, identity: { browserId: 'b-1' }, pid: VELOZ[0], eventId: 'e-1' };
      for (let tries = 0; tries < 3; tries += 1) {
        const reply = await post(event);
        expect([reply.status, reply.text]).toEqual([204, '']);
        service.clock.advance(20 * 60_000);
      }
      expect((await loja.exported('7')).filter(({ type }) => type === 'event')).toHaveLength(1);
    });

    test('need no deviceId where there is a browserId, and neither has to be a UUID', async () => {
      expect((await post({ pid: VELOZ[1], identity: { browserId: 'GA1.2.3' } })).status).toBe(204);
      expect(JSON.stringify(await loja.vector('devices', 'GA1.2.3'))).toContain(`product:${VELOZ[1]}`);
    });

    test('may be sent as text/plain by a beacon, and with keys in the body by a backend', async () => {
      const beacon = await post(JSON.stringify({ pid: VELOZ[2], userId: 'beacon' }), {
        'content-type': 'text/plain;charset=UTF-8',
      });
      expect(beacon.status).toBe(204);
      const { apiKey, secretKey } = loja.keys;
      const body = { apiKey, secretKey, pid: VELOZ[2], userId: 'backend' };
      expect((await service.send({ method: 'POST', path: '/v7/events/views/product', body })).status).toBe(204);
      expect(JSON.stringify(await loja.exported('backend'))).not.toContain(secretKey);
    });

    test.each(['landingpage', 'notfound', 'empty_search', 'user_profile', 'confirmation'])(
      'may be called %s, as some clients spell them',
      async (name) => {
        const body = { query: 'x', id: `order-${name}`, items: [{ pid: VELOZ[3], quantity: 1 }] };
        expect((await post(body, {}, name)).status).toBe(204);
      },
    );

    test.each([{}, { categories: [] }])('of a category may name none: %j', async (body) => {
      expect((await post({ ...body, userId: 'none' }, {}, 'category')).status).toBe(204);
      const [event] = (await loja.exported('none')).filter(({ type }) => type === 'event');
      expect(event).toMatchObject({ name: 'category', verdict: 'no_evidence' });
    });

    test('work in credentials mode "include"', async () => {
      const { headers } = await post({ pid: VELOZ[0] });
      expect(headers).toMatchObject({
        'access-control-allow-origin': 'https://www.loja.example',
        'access-control-allow-credentials': 'true',
      });
      const preflight = await service.send({
        method: 'OPTIONS',
        path: '/v7/events/views/product',
        headers: {
          origin: 'https://www.loja.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,x-integration-platform',
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers['access-control-allow-credentials']).toBe('true');
    });
  });
});
