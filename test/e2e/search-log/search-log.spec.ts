import { JobQueue } from '../../../src/jobs/job-queue';
import { aShop } from '../../builders/a-shop';
import { describeModes } from '../../support/modes';
import {
  ENGAGE,
  type Json,
  must,
  QUERIES,
  type Query,
  type SearchReply,
  type StoreClient,
} from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const DAY = 86_400_000;
const BOT = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' };

interface Metrics extends Json {
  topTerms: (Json & { query: string })[];
  days: Json[];
}

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;
  let stores = 0;

  beforeAll(async () => {
    service = await startWholeApp(mode);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    loja = await service.store(`loja-${(stores += 1)}`, { settings: { timeZone: 'UTC' } });
    await loja.putMany(aShop());
  });

  /** What the store's page sends. */
  const search = async (query: Query, headers: Record<string, string> = {}, path = QUERIES): Promise<SearchReply> => {
    const reply = await service.send({ path, query, headers: { origin: loja.keys.origin, ...headers } });
    return must(reply, 200) as SearchReply;
  };
  const click = async ({ products }: SearchReply, place: number, query: Query, headers = {}): Promise<string> => {
    const product = products[place] as { id: string; clickUrl: string };
    must(await service.send({ path: `/engage${product.clickUrl}`, query, headers }), 204);
    return product.id;
  };
  const metrics = async (query: Query = {}): Promise<Metrics> =>
    must(await loja.admin({ path: '/metrics/search', query }), 200) as Metrics;
  const searchesOf = async (userId: string): Promise<Json[]> =>
    (await loja.exported(userId)).filter(({ type }) => type === 'search');

  test('searches are counted, with the clicks, carts and orders that followed from them, each once', async () => {
    const found = await search({ terms: 'Tênis', userId: 'ana' });
    await search({ terms: 'tênis', userId: 'bia' });
    await search({ terms: 'guarda-chuva', deviceId: 'phone' });
    const bought = await click(found, 0, { userId: 'ana' });
    await click(found, 0, { userId: 'ana' });
    await click(found, 1, { userId: 'ana' });
    const items = [{ pid: bought, price: 99.9, quantity: 2 }];
    for (let times = 0; times < 2; times += 1) await loja.event('cart', { userId: 'ana', items, id: `cart-${times}` });
    for (let times = 0; times < 2; times += 1) await loja.event('transaction', { userId: 'ana', items, id: 'order' });
    await loja.event('transaction', { userId: 'bia', items, id: 'of-bia' });

    const counts = { searches: 3, noResults: 1, clicks: 2, carts: 1, orders: 1, revenue: 199.8 };
    const shown = await metrics();
    expect(shown).toMatchObject({ ...counts, noResultRate: 1 / 3, ctr: 2 / 3, from: '2025-12-17', to: '2026-01-15' });
    expect(shown['topTerms']).toMatchObject([
      { query: 'tenis', searches: 2, clicks: 2, ctr: 1, carts: 1, orders: 1, revenue: 199.8 },
      { query: 'guarda chuva', searches: 1, noResults: 1, clicks: 0, ctr: 0 },
    ]);
    expect(shown['noResultTerms']).toEqual([{ query: 'guarda chuva', searches: 1 }]);
    expect(shown['days']).toMatchObject([{ day: '2026-01-15', ...counts }]);
    expect(await metrics({ from: '2026-01-16', to: '2026-01-17' })).toMatchObject({ searches: 0, days: [] });
  });

  test('events that name a search follow from it, where it showed the product; later ones from the click', async () => {
    const found = await search({ terms: 'tênis', userId: 'ana', resultsPerPage: 2 });
    const [first, second] = found.products.map(({ id }) => id);
    const { searchId } = found;
    await loja.event('product', { userId: 'ana', pid: first, searchId });
    await loja.event('product', { userId: 'ana', pid: 'lamp-01', searchId });
    await loja.event('product', { userId: 'ana', pid: second, searchId: 'made-up' });
    await loja.event('product', { userId: 'ana', pid: second });
    await loja.event('cart', { userId: 'ana', items: [{ pid: second }], searchId });
    service.clock.advance(6 * DAY);
    await loja.event('transaction', {
      userId: 'ana',
      id: 'o1',
      items: [{ pid: first, price: 10 }, { pid: 'lamp-01' }],
    });
    service.clock.advance(2 * DAY);
    await loja.event('transaction', { userId: 'ana', id: 'o2', items: [{ pid: first, price: 10 }] });
    expect(await metrics()).toMatchObject({ searches: 1, clicks: 1, carts: 1, orders: 1, revenue: 10 });
  });

  test('bots are kept apart, and what nobody searched is not kept', async () => {
    await search({ terms: 'tênis', userId: 'crawler' }, BOT);
    const found = await search({ terms: 'luminária', userId: 'ana' });
    await click(found, 0, { userId: 'crawler' }, BOT);
    const keys = loja.headers;
    for (const query of [
      { explain: true },
      { personalize: false },
      { resultsPerPage: 0 },
      { hide: 'products' },
      { pids: 'veloz-01' },
    ]) {
      await search({ terms: 'tênis', userId: 'ana', ...query }, keys);
    }
    await search({ terms: 'tênis maria@mail.example', userId: 'ana' });
    const preview = { terms: 'tênis', users: ['ana'] };
    must(await loja.admin({ method: 'POST', path: '/templates/default/preview', body: preview }), 200);
    must(await loja.admin({ path: '/why', query: { query: 'tênis', userId: 'ana', productId: 'veloz-01' } }), 200);

    expect(await metrics()).toMatchObject({ searches: 1, clicks: 0, topTerms: [{ query: 'luminaria' }] });
    expect(await searchesOf('crawler')).toMatchObject([{ query: 'tenis', isBot: true, outcomes: [] }]);
    expect((await searchesOf('ana')).map(({ query }) => query)).toEqual(['luminaria']);
  });

  test('the log has what was asked and shown, on every page and list', async () => {
    await loja.event('product', { userId: 'ana', pid: 'calma-03' });
    const asked = { terms: 'Tênis', userId: 'ana', source: 'mobile', filter: 'brand:Calma' };
    await search({ ...asked, resultsPerPage: 4 }, {}, ENGAGE);
    await search({ ...asked, resultsPerPage: 4, page: 2 }, {}, ENGAGE);
    const navigates = '/engage/search/v3/navigates';
    await search({ category: 'Casa', userId: 'ana', resultsPerPage: 3 }, {}, navigates);
    const searches = (await searchesOf('ana')).toSorted((a, b) => Number(a['first']) - Number(b['first']));
    const list = searches.find(({ listing }) => listing !== undefined);
    expect(list).toMatchObject({ query: '', listing: 'category:casa', found: 6, page: 1 });
    expect(searches.filter((one) => one !== list)).toMatchObject([
      { query: 'tenis', filters: ['brand:Calma'], source: 'mobile', shopper: 'u:ana', page: 1, first: 1, found: 12 },
      { query: 'tenis', page: 2, first: 5, isPersonal: true, isBot: false, variant: null, template: 'default' },
    ]);
    expect(searches.map(({ shown }) => (shown as string[]).length)).toEqual(expect.arrayContaining([3, 4, 4]));
    expect((await metrics())['searches']).toBe(1);
  });

  test('a user who is erased takes their searches along, and those of their devices', async () => {
    const found = await search({ terms: 'tênis da ana', userId: 'ana' });
    await click(found, 0, { userId: 'ana' });
    await search({ terms: 'tênis do celular', deviceId: 'phone-of-ana' });
    await search({ terms: 'tênis', userId: 'bia' });
    await loja.event('home', { userId: 'ana', deviceId: 'phone-of-ana' });
    const known = await searchesOf('ana');
    expect(known.map(({ query, outcomes }) => [query, (outcomes as Json[]).length])).toEqual([
      ['tenis da ana', 1],
      ['tenis do celular', 0],
    ]);
    const { erased } = (await loja.erase('ana')) as { erased: Json };
    expect(erased['searches']).toBe(2);
    expect(await searchesOf('ana')).toEqual([]);
    expect(await metrics()).toMatchObject({ searches: 1, clicks: 0 });
  });

  test('who has opted out is not followed', async () => {
    const body = { personalize: false };
    must(await loja.send({ method: 'PUT', path: '/v7/users/shy', headers: loja.headers, body }), 204);
    const found = await search({ terms: 'tênis', userId: 'shy' });
    await click(found, 0, { userId: 'shy' });
    await loja.event('cart', { userId: 'shy', items: [{ pid: found.products[0]?.id }] });
    // Nor where nobody's behaviour ranks what they get.
    await search({ terms: 'tênis', userId: 'shy', personalize: 'false' });
    expect(await searchesOf('shy')).toEqual([]);
    expect(await metrics()).toMatchObject({ searches: 2, clicks: 1, carts: 0 });
  });

  test('searches are kept for retention.searchesDays', async () => {
    await search({ terms: 'tênis', userId: 'ana' });
    service.clock.advance(20 * DAY);
    await search({ terms: 'luminária', userId: 'ana' });
    expect(await searchesOf('ana')).toHaveLength(2);
    must(await loja.admin({ method: 'PATCH', path: '', body: { settings: { retention: { searchesDays: 10 } } } }), 200);
    const jobs = service.app.get(JobQueue);
    const id = await jobs.enqueue({ kind: 'search.log.expire', store: '*', key: `test-${stores}`, payload: null });
    expect((await loja.completed(id))['result']).toEqual({ searches: 1 });
    expect((await searchesOf('ana')).map(({ query }) => query)).toEqual(['luminaria']);
  });

  test('of a share of the shoppers everything is logged, and metrics count for the others, too', async () => {
    must(await loja.admin({ method: 'PATCH', path: '', body: { settings: { searchLog: { sample: 0.5 } } } }), 200);
    const shoppers = Array.from({ length: 30 }, (_, number) => `u-${number}`);
    for (const userId of shoppers) {
      const found = await search({ terms: 'tênis', userId });
      await click(found, 0, { userId });
    }
    const logged = await Promise.all(shoppers.map(searchesOf));
    const whole = logged.filter((searches) => searches.length > 0);
    expect(whole.length).toBeGreaterThan(0);
    expect(whole.length).toBeLessThan(shoppers.length);
    for (const searches of whole) {
      expect(searches).toMatchObject([{ share: 0.5 }]);
      expect(searches.flatMap(({ outcomes }) => outcomes)).toHaveLength(1);
    }
    const count = whole.length;
    const shown = await metrics();
    expect(shown).toMatchObject({ searches: 2 * count, clicks: 2 * count, logged: count, ctr: 1, sampled: true });
    expect(shown['topTerms']).toMatchObject([{ query: 'tenis', searches: 2 * count, logged: count }]);
  });

  // What is left out is decided before anything is written, so one mode tells for both.
  if (mode.name === 'embedded')
    test('no more is logged in a day than the store wants, by a share that falls', async () => {
      expect(await metrics()).toMatchObject({ sampled: false, logged: 0 });
      must(await loja.admin({ method: 'PATCH', path: '', body: { settings: { searchLog: { perDay: 100 } } } }), 200);
      // The first half of the room is for everybody, what comes then for one in four and for fewer soon.
      for (let number = 0; number < 100; number += 1)
        await search({ terms: 'tênis', userId: `u-${number}` }, loja.headers);
      const { logged, sampled } = await metrics();
      expect(sampled).toBe(true);
      expect(logged).toBeGreaterThanOrEqual(50);
      expect(logged).toBeLessThan(100);
      const { text } = await service.send({ path: '/metrics' });
      const left = Number(/^search_log_left_out_total\{kind="search"\} (\d+)$/m.exec(text)?.[1]);
      expect(left).toBeGreaterThanOrEqual(100 - Number(logged));
      service.clock.advance(DAY);
      await search({ terms: 'luminária', userId: 'ana' });
      expect(await searchesOf('ana')).toMatchObject([{ query: 'luminaria' }]);
    });

  test('metrics are CSV, too: by day and by query', async () => {
    await search({ terms: '=tênis', userId: 'ana' });
    const csv = async (query: Query): Promise<string[]> => {
      const reply = await loja.admin({ path: '/metrics/search', query: { format: 'csv', ...query } });
      expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
      return reply.text.split('\r\n');
    };
    const counts = 'searches,no_results,no_result_rate,clicks,ctr,carts,orders,revenue,logged';
    expect(await csv({})).toEqual([`day,${counts}`, expect.stringMatching(/^\d{4}-\d\d-\d\d,1,0,0,0,0,0,0,0,1$/), '']);
    expect(await csv({ by: 'query' })).toEqual([`query,${counts}`, 'tenis,1,0,0,0,0,0,0,0,1', '']);
    const wrong = await loja.admin({ path: '/metrics/search', query: { by: 'hour' } });
    expect([wrong.status, wrong.json]).toMatchObject([400, { details: [{ path: 'by' }] }]);
  });
});
