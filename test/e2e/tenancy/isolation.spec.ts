import { aProduct } from '../../builders/a-product';
import { aShop, VELOZ } from '../../builders/a-shop';
import { merchandiseAll } from '../../support/merchandise';
import { authenticate, inspect, tokenOf } from '../../support/inspector';
import { describeModes } from '../../support/modes';
import { aCampaign } from '../../support/showcase-shop';
import { routesOf } from '../../support/routes';
import { type Call, type Json, must, type StoreClient } from '../../support/store-client';
import { validRequest } from '../../support/valid-requests';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

/** In everything the first store has, and in nothing of the second. */
const MARK = 'confidencial7';

describeModes((mode) => {
  let service: WholeApp;
  let first: StoreClient;
  /** The same ids of products, SKUs, users and devices. */
  let second: StoreClient;
  let jobId: string;
  let calls = 0;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    first = await service.store('primeira', { name: `Loja ${MARK}`, settings: { homeUrl: `https://${MARK}.example` } });
    second = await service.store('segunda');
    for (const [client, mark] of [
      [first, MARK],
      [second, 'comum'],
    ] as const) {
      const named = { brand: `Marca ${mark}`, note: mark, skus: [{ sku: 's', properties: { name: mark } }] };
      await client.putMany(aShop().map((product) => ({ ...product, ...named })));
      await client.put({ ...aProduct({ id: 'p' }), ...named });
      const path = '/v7/users/ana';
      must(await client.send({ method: 'PUT', path, headers: client.headers, body: { name: mark } }), 204);
      await client.event('home', { userId: 'ana', deviceId: 'd0', url: `https://loja.example/${mark}` });
      await client.buy({ userId: 'ana', deviceId: 'd0' }, ['p', ...VELOZ.slice(0, 3)]);
      await client.buy({ deviceId: 'd1' }, ['p', ...VELOZ.slice(3, 6)]);
      await client.search({ terms: mark, userId: 'ana' });
      const campaign = aCampaign(['p', ...VELOZ], { name: mark });
      must(await client.admin({ method: 'PUT', path: '/campaigns/c', body: campaign }), 200);
      await merchandiseAll(client, mark, ['p']);
      const feed = { url: `https://feeds.invalid/${mark}.csv`, mode: 'partial', every: '30d' };
      must(await client.admin({ method: 'PUT', path: '/feeds/f', body: feed }), 200);
      must(await client.admin({ method: 'PUT', path: '/mappings/m', body: { fields: { price: mark } } }), 200);
      const later = {
        variants: [{ name: mark, share: 50, strength: 20 }],
        holdout: 5,
        from: '2030-01-01T00:00:00.000Z',
      };
      must(await client.admin({ method: 'PUT', path: '/experiments/e', body: later }), 200);
    }
    const reply = must(await first.admin({ method: 'POST', path: '/reindex' }), 202);
    jobId = String(reply['jobId']);
    await first.completed(jobId);
  });
  afterAll(() => service.close());
  beforeEach(() => service.clock.advance(60_000));

  /** Everything of the first store that anybody could take away or change. */
  async function state(): Promise<Json> {
    service.clock.advance(60_000);
    const token = await tokenOf(first);
    const records = [];
    for (const id of ['p', 'new', ...VELOZ.slice(0, 3)]) {
      records.push((await inspect(first, token, `/product/${id}`)).text.replace(/"requestId":"[^"]*"/, ''));
    }
    const admin = { authorization: `Bearer ${service.token()}` };
    const jobs = must(await first.send({ path: '/admin/jobs?store=primeira', headers: admin }), 200);
    return {
      records,
      found: await first.order({ terms: 'tênis', personalize: false }),
      users: [await first.exported('ana'), await first.exported('eva')].flat().filter(({ type }) => type !== 'vector'),
      store: must(await first.admin({ path: '' }), 200),
      campaigns: must(await first.admin({ path: '/campaigns' }), 200),
      hotsites: must(await first.admin({ path: '/hotsites' }), 200),
      rules: must(await first.admin({ path: '/rules' }), 200),
      experiments: must(await first.admin({ path: '/experiments' }), 200),
      jobs,
      keysOpen: (await authenticate(first)).status,
    };
  }

  /** What somebody might try who has all of the second store's keys and tokens, and knows the first one's apiKey. */
  async function attempts(call: Call): Promise<[string, Call][]> {
    const { apiKey, secretKey, origin } = second.keys;
    const body = typeof call.body === 'string' ? {} : (call.body as object | undefined);
    const get = call.method === 'GET';
    const withHeaders = (headers: Record<string, string>): Call => ({
      ...call,
      headers: { ...call.headers, ...headers },
    });
    const bearer = (token: string): Call => withHeaders({ authorization: `Bearer ${token}` });
    const mixed = { 'x-api-key': first.keys.apiKey, 'x-secret-key': secretKey };
    return [
      ['nothing', call],
      ['its keys as headers', withHeaders(second.headers)],
      ['its keys in the query', { ...call, query: { ...call.query, apiKey, secretKey } }],
      ...(get ? [] : [['its keys in the body', { ...call, body: { ...body, apiKey, secretKey } }] as [string, Call]]),
      ['its Origin', withHeaders({ origin })],
      ["its Origin beside the other's apiKey", withHeaders({ origin, 'x-api-key': first.keys.apiKey })],
      ["its keys and the other's Origin", withHeaders({ ...second.headers, origin: first.keys.origin })],
      ["the other's apiKey and its secretKey", withHeaders(mixed)],
      ["the same, in the other's name", withHeaders({ ...mixed, origin: first.keys.origin })],
      ['its inspection token', bearer(await tokenOf(second))],
      ['its ops token', bearer(service.token('ops', 'segunda'))],
      ['its relevance token', bearer(service.token('relevance', 'segunda'))],
      [
        'its ops token and its keys',
        withHeaders({ ...second.headers, authorization: `Bearer ${service.token('ops', 'segunda')}` }),
      ],
    ];
  }

  test('no route shows anything of a store to somebody with all that another store has, or changes it', async () => {
    const before = await state();
    const answered: Record<string, number> = {};
    for (const { name, access } of routesOf(service.app)) {
      if (access.by === 'anybody') continue;
      const { call } = validRequest(name, { apiKey: 'primeira', jobId });
      for (const [who, attempt] of await attempts(call)) {
        calls += 1;
        const from = { 'x-forwarded-for': `12.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}` };
        const reply = await second.send({ ...attempt, headers: { ...from, ...attempt.headers } });
        const shown = `${reply.text}${JSON.stringify(reply.headers)}`.toLowerCase();
        expect([name, who, shown]).toEqual([name, who, expect.not.stringContaining(MARK)]);
        expect([name, who, reply.status < 500]).toEqual([name, who, true]);
        if (access.by === 'admin' && name.includes(':')) {
          expect([name, who, [401, 403].includes(reply.status)]).toEqual([name, who, true]);
        }
        answered[reply.status] = (answered[reply.status] ?? 0) + 1;
        // What the second store may look at in a minute is not what is asked here.
        if (calls % 5 === 0) service.clock.advance(60_000);
      }
    }
    // It was let into its own, and refused in each way there is.
    expect(Object.keys(answered)).toEqual(expect.arrayContaining(['200', '401', '403']));
    expect(calls).toBeGreaterThan(400);
    expect(await state()).toEqual(before);
  });

  test('the store itself is shown all of that, on every route that shows something', async () => {
    const token = await tokenOf(first);
    for (const { name, access } of routesOf(service.app)) {
      if (access.by === 'anybody') continue;
      const { call, shows } = validRequest(name, { apiKey: 'primeira', jobId });
      if (!shows) continue;
      const authorization = access.by === 'admin' ? `Bearer ${service.token()}` : `Bearer ${token}`;
      const keys = access.by === 'store' ? first.headers : { authorization };
      const reply = await first.send({ ...call, headers: { ...call.headers, ...keys } });
      expect([name, reply.text.toLowerCase()]).toEqual([name, expect.stringContaining(MARK)]);
    }
  });
});
