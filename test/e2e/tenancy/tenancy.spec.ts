import { aProduct } from '../../builders/a-product';
import { aShop, CALMA, VELOZ } from '../../builders/a-shop';
import { expectError } from '../../support/error-reply';
import { type Call, ENGAGE, QUERIES, SEARCH, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';
import { describeModes } from '../../support/modes';

describeModes((mode) => {
  let service: WholeApp;
  /** Full of products, shoppers and events. */
  let first: StoreClient;
  /** The same ids of products, users and devices, and no event. */
  let second: StoreClient;

  const SECRET_WORD = 'Confidencial';
  const terms = 'tênis corrida';

  beforeAll(async () => {
    service = await startWholeApp(mode);
    first = await service.store('primeira');
    second = await service.store('segunda');
    await first.putMany(aShop().map((product) => ({ ...product, description: SECRET_WORD, price: 999 })));
    await first.put(aProduct({ id: 'only-first', name: `${SECRET_WORD} Exclusivo`, brand: SECRET_WORD }));
    await second.putMany(aShop());
    await first.buy({ userId: 'ana', deviceId: 'd0' }, VELOZ.slice(4, 9));
    await first.buy({ deviceId: 'd1' }, VELOZ.slice(4, 9));
    await first.order({ terms: SECRET_WORD });
    // So that no job has anything left to aggregate while two exports are compared.
    service.clock.advance(60_000);
    await first.rebuild();
  });
  afterAll(() => service.close());

  test('the first store has what the second must not see', async () => {
    const neutral = await first.order({ terms });
    expect(await first.order({ terms, userId: 'ana' })).not.toEqual(neutral);
    expect(await first.order({ terms, deviceId: 'd1' })).not.toEqual(neutral);
    expect((await first.search({ terms: SECRET_WORD })).size).toBeGreaterThan(0);
  });

  describe.each([QUERIES, SEARCH, ENGAGE])('a search of the second store on %s', (path) => {
    test('finds nothing that only the first has', async () => {
      const asked = await second.search({ terms: SECRET_WORD, explain: true }, path);
      expect(asked.size).toBe(0);
      expect(await second.order({ pids: ['only-first', 'veloz-01'] }, path)).toEqual(['veloz-01']);
      const { size, products, ...rest } = await second.search({ terms, resultsPerPage: 100 }, path);
      expect(size).toBe(VELOZ.length + CALMA.length);
      expect(JSON.stringify([products, rest])).not.toContain(SECRET_WORD);
      expect(JSON.stringify(products)).not.toContain('999');
    });

    test('ranks nobody by what they did in the first', async () => {
      const neutral = await second.order({ terms }, path);
      for (const shopper of [
        { userId: 'ana' },
        { deviceId: 'd0' },
        { deviceId: 'd1' },
        { userId: 'ana', deviceId: 'd1' },
      ]) {
        expect(await second.order({ terms, ...shopper }, path)).toEqual(neutral);
        expect((await second.search({ terms, ...shopper }, path)).personalization.applied).toBe(false);
      }
    });
  });

  test('query terms of one store are not offered to the shoppers of another', async () => {
    service.clock.advance(60_000);
    await first.search({ terms: 'exclusivo' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const reply = await second.search({ terms: 'exclusiv' });
    expect(JSON.stringify([reply['terms'], reply['suggestions']])).not.toMatch(/exclusivo/i);
  });

  test('a filter id of one store opens nothing in another', async () => {
    const { filters } = await first.search({ terms: SECRET_WORD }, ENGAGE);
    const brand = filters.find(({ attribute }) => attribute === 'Marca');
    const secret = brand?.values.find(({ idO }) => idO === SECRET_WORD.toLowerCase()) ?? brand?.values[0];
    expect(secret).toBeDefined();
    const query = { terms, filter: `d:${brand?.id}:${secret?.id}` };
    expect((await first.search(query, ENGAGE)).size).toBeGreaterThanOrEqual(0);
    // The id may be another thing there, or nothing at all: what it never shows is the first store's.
    const reply = await second.send({ path: ENGAGE, query, headers: second.headers });
    if (reply.status !== 200) expect(expectError(reply).error).toBe('invalid_parameter');
    expect(reply.text).not.toContain(SECRET_WORD);
  });

  describe('writes of the second store', () => {
    test('change no product, no user and no device of the first', async () => {
      const before = [await first.order({ terms }), await first.order({ terms, userId: 'ana' })];
      await second.put(aProduct({ id: 'veloz-01', name: 'Outra Coisa', price: 1 }));
      await second.send({ method: 'DELETE', path: '/v7/products/veloz-02', headers: second.headers });
      await second.buy({ userId: 'ana', deviceId: 'd0' }, CALMA.slice(0, 3));
      await second.send({
        method: 'PUT',
        path: '/v7/users/ana',
        headers: second.headers,
        body: { personalize: false },
      });
      expect([await first.order({ terms }), await first.order({ terms, userId: 'ana' })]).toEqual(before);
      expect(await second.order({ pids: ['veloz-01', 'veloz-02'] })).toEqual(['veloz-01']);
    });

    test('erase nothing of the first', async () => {
      const order = await first.order({ terms, userId: 'ana' });
      const before = await first.exported('ana');
      await second.erase('ana');
      expect(await first.exported('ana')).toEqual(before);
      expect(await first.order({ terms, userId: 'ana' })).toEqual(order);
      expect(await second.exported('ana')).toEqual([]);
    });

    test('claim no device of the first', async () => {
      const before = await first.order({ terms, deviceId: 'd1' });
      await second.event('home', { userId: 'eva', deviceId: 'd1' });
      expect(await first.order({ terms, deviceId: 'd1' })).toEqual(before);
      expect((await second.vector('users', 'eva'))['weights']).toEqual([]);
    });

    test('use up no id of an event or an order of the first', async () => {
      const event = { userId: 'once', eventId: 'same-id', pid: VELOZ[0] };
      await second.event('product', event);
      await first.event('product', event);
      const events = (await first.exported('once')).filter(({ type }) => type === 'event');
      expect(events).toHaveLength(1);
    });

    test('remove nothing only the first ever sent', async () => {
      const path = '/v7/products/only-first';
      const reply = await second.send({ method: 'DELETE', path, headers: second.headers });
      expect(expectError(reply).error).toBe('not_found');
      expect(await first.order({ pids: ['only-first'] })).toEqual(['only-first']);
    });
  });

  describe('keys and Origins', () => {
    const mixed = (): [string, Record<string, string>][] => [
      ['the secret of another store', { ...first.headers, 'x-secret-key': second.keys.secretKey }],
      ['the apiKey of another store', { ...second.headers, 'x-api-key': first.keys.apiKey }],
      ['an Origin beside wrong keys', { ...first.headers, 'x-secret-key': 'x', origin: first.keys.origin }],
    ];

    test('of one store with those of another open neither', async () => {
      let address = 0;
      for (const [name, headers] of mixed()) {
        for (const call of [
          { path: QUERIES, query: { terms } },
          { method: 'PUT', path: '/v7/products/x', body: aProduct({ id: 'x' }) },
          { method: 'DELETE', path: '/v7/users/ana' },
          { method: 'POST', path: '/v7/events/views/home', body: {} },
        ]) {
          const from = { 'x-forwarded-for': `198.51.100.${(address += 1)}` };
          const reply = await service.send({ ...call, headers: { ...headers, ...from } });
          expect([name, reply.status, reply.json['error']]).toEqual([name, 401, 'invalid_keys']);
        }
      }
    });

    test('an Origin beside the apiKey of another store is refused', async () => {
      const headers = { origin: second.keys.origin };
      const reply = await service.send({ path: QUERIES, query: { terms, apiKey: 'primeira' }, headers });
      expect(expectError(reply).error).toBe('origin_not_allowed');
    });

    test('an Origin reads its own store, and keys win over it', async () => {
      const of = async (headers: Record<string, string>): Promise<unknown> =>
        (await service.send({ path: QUERIES, query: { terms: SECRET_WORD }, headers })).json['size'];
      expect(await of({ origin: second.keys.origin })).toBe(0);
      expect(await of({ ...second.headers, origin: first.keys.origin })).toBe(0);
      expect(await of({ origin: first.keys.origin })).toBeGreaterThan(0);
    });
  });

  describe('an admin token bound to the second store', () => {
    const asks = (role: 'ops' | 'relevance', call: Call): ReturnType<typeof service.send> =>
      service.send({
        ...call,
        headers: { authorization: `Bearer ${service.token(role, 'segunda')}`, ...call.headers },
      });

    test.each<[string, Call]>([
      ['read it', { path: '' }],
      ['change it', { method: 'PATCH', path: '', body: { name: 'x' } }],
      ['delete it', { method: 'DELETE', path: '' }],
      ['get a secret', { method: 'POST', path: '/secrets', body: {} }],
      ['change its origins', { method: 'PUT', path: '/origins', body: { origins: [] } }],
      ['reindex it', { method: 'POST', path: '/reindex' }],
      ['rebuild its vectors', { method: 'POST', path: '/vectors/rebuild', body: {} }],
      ['read a user', { path: '/users/ana/vector' }],
      ['read a device', { path: '/devices/d1/vector' }],
      ['export a user', { method: 'POST', path: '/users/ana/export' }],
      [
        'import events',
        { method: 'POST', path: '/events/imports', body: '{}', headers: { 'content-type': 'application/x-ndjson' } },
      ],
    ])('may not %s of the first', async (_name, call) => {
      for (const role of ['ops', 'relevance'] as const) {
        const reply = await asks(role, { ...call, path: `/admin/stores/primeira${call.path}` });
        expect(expectError(reply).error).toBe('forbidden');
      }
    });

    test('lists its own store, jobs and changes, and no others', async () => {
      await first.rebuild();
      await second.rebuild();
      for (const path of ['/admin/stores', '/admin/jobs', '/admin/audit']) {
        const reply = await asks('ops', { path });
        expect([path, reply.status]).toEqual([path, 200]);
        expect([path, reply.text]).toEqual([path, expect.stringContaining('segunda')]);
        expect([path, reply.text]).toEqual([path, expect.not.stringContaining('primeira')]);
      }
      expect(expectError(await asks('ops', { path: '/admin/jobs?store=primeira' })).error).toBe('forbidden');
    });

    test('may not look at, cancel or retry a job of the first', async () => {
      const { json } = await first.admin({ method: 'POST', path: '/vectors/rebuild', body: {} });
      const job = `/admin/jobs/${String(json['jobId'])}`;
      for (const call of [
        { path: job },
        { path: `${job}/events` },
        { method: 'POST', path: `${job}/cancel` },
        { method: 'POST', path: `${job}/retry` },
      ]) {
        expect(expectError(await asks('ops', call)).error).toBe('forbidden');
      }
    });

    test('may not make stores', async () => {
      const reply = await asks('ops', { method: 'POST', path: '/admin/stores', body: { name: 'x' } });
      expect(expectError(reply).error).toBe('forbidden');
    });
  });

  test('a store that is deleted is gone for everybody at once, and takes nothing of another with it', async () => {
    const third = await service.store('terceira');
    await third.putMany(aShop());
    await third.buy({ userId: 'ana' }, VELOZ.slice(0, 3));
    const before = [await first.order({ terms, userId: 'ana' }), await second.order({ terms })];
    const { json } = await third.admin({ method: 'DELETE', path: '' });
    const refused = await third.send({ path: QUERIES, query: { terms }, headers: third.headers });
    expect(expectError(refused).error).toBe('invalid_keys');
    await third.completed(String(json['jobId']));
    const again = await service.store('terceira');
    expect(await again.order({ terms })).toEqual([]);
    expect(await again.exported('ana')).toEqual([]);
    expect([await first.order({ terms, userId: 'ana' }), await second.order({ terms })]).toEqual(before);
  });
});
