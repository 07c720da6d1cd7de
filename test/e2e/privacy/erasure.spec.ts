import { aShop } from '../../builders/a-shop';
import { ApiDocument, type Operation } from '../../fuzz/document';
import { isRuinous } from '../../fuzz/requests';
import { describeModes } from '../../support/modes';
import { type Call, type Json, must, patient, type Send, type StoreClient } from '../../support/store-client';
import { aCampaign, ShowcaseShop } from '../../support/showcase-shop';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

/** Who will be erased: nothing else in the whole service is called that. */
const WHO = 'erased-person-7c1f';
const DEVICE = 'device-of-erased-person-93ab';
const OTHER_DEVICE = 'tablet-of-erased-person-93ab';
/** Where a caller seems to come from (RFC 5737). */
const ADDRESS = '198.51.100.77';

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;
  let send: Send;
  let document: ApiDocument;

  beforeAll(async () => {
    service = await startWholeApp(mode, { logLevel: 'trace' });
    send = patient(service.send);
    loja = (await service.store('loja')).through(send);
    await loja.putMany(aShop());
    document = new ApiDocument((await send({ path: '/openapi.json' })).json as never);
  });
  afterAll(() => service.close());

  /** A request that names the person wherever a person can be named. */
  function aboutThem(operation: Operation): Call {
    const known: Record<string, string> = { apiKey: 'loja', userId: WHO, deviceId: DEVICE, name: 'product', id: 'x' };
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => known[name] ?? 'veloz-01');
    const query = { userId: WHO, deviceId: DEVICE, terms: 'tênis', placement: 'home', widgets: 'native,4_all' };
    const person = { userId: WHO, deviceId: DEVICE, user: { id: WHO, email: `${WHO}@mail.example` }, users: [WHO] };
    const body = { ...person, pid: 'veloz-01', id: 'veloz-01', name: 'Tênis', items: [{ pid: 'veloz-02' }] };
    const authorization = { authorization: `Bearer ${service.token()}` };
    const own = operation.security ? authorization : loja.headers;
    const headers = { ...own, 'x-user-id': WHO, 'x-forwarded-for': ADDRESS };
    const { method } = operation;
    return {
      method,
      path,
      query,
      headers,
      ...(method === 'GET' ? {} : bodyOf(operation, { ...body, terms: 'tênis' })),
    };
  }

  function bodyOf({ path }: Operation, body: Json): Pick<Call, 'body'> {
    if (path.endsWith('/vectors/rebuild')) return { body: { userId: WHO } };
    // A record is kept field for field, and no place for shoppers.
    if (path.startsWith('/v7/products')) return { body: { id: 'veloz-01', name: 'Tênis', products: [] } };
    if (path === '/admin/stores') return { body: { name: 'another' } };
    return { body };
  }

  /** What is theirs and does not say so, or does not count. */
  async function withoutTheirName(): Promise<void> {
    const email = `${WHO}@mail.example`;
    const bot = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' };
    const sent = async (name: string, body: Json, headers: Record<string, string> = {}): Promise<void> => {
      const path = `/v7/events/views/${name}`;
      const origin = 'x-api-key' in headers ? {} : { origin: loja.keys.origin };
      must(await send({ method: 'POST', path, headers: { ...origin, ...headers }, body }), 204);
    };
    // Before anybody knew whose device it was, on it together with somebody else, and after that.
    await sent('home', { deviceId: OTHER_DEVICE, user: { email } });
    await sent('home', { deviceId: OTHER_DEVICE, userId: WHO });
    await sent('home', { deviceId: OTHER_DEVICE, userId: 'somebody-else' });
    await sent('product', { deviceId: OTHER_DEVICE, pid: 'veloz-02', user: { email } });
    await sent('userprofile', { deviceId: OTHER_DEVICE, email });
    await sent('product', { identity: { browserId: OTHER_DEVICE }, pid: 'not-there-yet', info: { email } });
    await sent('product', { deviceId: OTHER_DEVICE, pid: 'veloz-02', user: { email } }, bot);
    await sent('product', { deviceId: DEVICE, pid: 'veloz-02', user: { email } });
    await sent('product', { userId: WHO, pid: 'veloz-02', email }, bot);
    // An event is one user's, whatever other fields say.
    await sent('product', { user: { id: 'somebody-else' }, userId: WHO, pid: 'veloz-02' });
    await sent('transaction', { id: 'order-7c1f', items: [{ pid: 'veloz-02' }], userId: WHO, email });
    await sent('transaction', { id: 'order-7c1f', items: [{ pid: 'veloz-02' }], userId: WHO, email }, loja.headers);
  }

  test('nothing of an erased user is left in anything that is stored, whichever routes named them', async () => {
    const operations = document.operations.filter(
      (operation) => !isRuinous(operation) && !(operation.method === 'DELETE' && operation.path.includes('users')),
    );
    expect(operations.length).toBeGreaterThan(25);
    for (const operation of operations) await send(aboutThem(operation));
    for (const name of ['product', 'cart', 'search']) {
      const items = [{ pid: 'veloz-03' }];
      await loja.event(name, { userId: WHO, deviceId: DEVICE, pid: 'veloz-02', query: 'tênis', items });
    }
    await loja.event('product', { userId: WHO, pid: 'not-there-yet' });
    await withoutTheirName();
    const line = { name: 'product', userId: WHO, pid: 'veloz-04', timestamp: '2025-12-01T00:00:00Z' };
    const headers = { 'content-type': 'application/x-ndjson' };
    const body = JSON.stringify(line);
    const imported = must(await loja.admin({ method: 'POST', path: '/events/imports', headers, body }), 202);
    await loja.completed(String(imported['jobId']));
    const shop = new ShowcaseShop(loja);
    await shop.campaign('verao', aCampaign(['veloz-06']));
    const card = await shop.card({}, { 'x-user-id': WHO });
    expect(await shop.click(card.link, { 'x-user-id': WHO, 'x-forwarded-for': ADDRESS })).toBe(true);
    const products = [{ sku: 'veloz-06', price: 10, qty: 1 }];
    await shop.convert({ tId: 'order-of-7c1f', currency: 'BRL', products, total: 10 }, WHO);
    // What has settled is aggregated into a vector; what comes after it is recent events.
    service.clock.advance(20_000);
    await loja.rebuild({ userId: WHO });
    for (const deviceId of [DEVICE, OTHER_DEVICE]) await loja.rebuild({ deviceId });
    await loja.event('product', { userId: WHO, pid: 'veloz-05' });
    expect(await service.rows()).toContain(WHO);
    expect((await loja.exported(WHO)).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['job', 'profile', 'link', 'vector', 'event', 'click', 'order']),
    );

    const { erased } = (await loja.erase(WHO)) as { erased: Record<string, number> };
    expect(erased).toMatchObject({ vectors: 3, links: 2 });
    expect(erased['events']).toBeGreaterThan(4);
    expect(erased['clicks']).toBeGreaterThan(1);
    expect(erased['jobs']).toBeGreaterThan(0);
    const rows = await service.rows();
    const isLeft = (row: string): boolean => [WHO, `d:${DEVICE}`, `d:${OTHER_DEVICE}`].some((one) => row.includes(one));
    const left = rows.split('\n').filter((row) => isLeft(row) && !row.startsWith('passing '));
    expect(left).toEqual([]);
    expect(rows.length).toBeGreaterThan(1000);
    expect(await loja.exported(WHO)).toEqual([]);
  });

  test('neither an address nor a user is in what is stored or logged', async () => {
    const rows = await service.rows();
    expect(rows).not.toContain(ADDRESS);
    const log = service.log();
    expect(log.length).toBeGreaterThan(1000);
    for (const known of [WHO, DEVICE, ADDRESS]) expect(log).not.toContain(known);
  });
});
