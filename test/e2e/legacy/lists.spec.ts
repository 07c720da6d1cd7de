import { aShop, VELOZ } from '../../builders/a-shop';
import { aCampaign, goods, ShowcaseShop } from '../../support/showcase-shop';
import { merchandise } from '../../support/merchandise';
import { describeModes } from '../../support/modes';
import { ENGAGE, type Json, must, type Query, SEARCH, QUERIES, type StoreClient } from '../../support/store-client';
import { unlessStarved } from '../../support/unless-starved';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const V3 = '/engage/search/v3';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What clients already in the field rely on, of lists that are no searches and of ads: the lines of section 11 of the wire contract, by number. */
describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;
  let shop: ShowcaseShop;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja');
    shop = new ShowcaseShop(loja);
    await loja.putMany([...aShop(), goods('anunciado')]);
    await merchandise(loja, 'hotsites', [{ name: 'verao', title: 'Verão', products: VELOZ.slice(0, 3) }]);
    await merchandise(loja, 'redirects', [{ terms: ['promo'], link: '/especial/verao?utm=busca' }]);
    await shop.campaign('c', aCampaign(['anunciado']));
  });
  afterAll(() => service.close());

  const get = async (path: string, query: Query = {}): Promise<Json> =>
    must(await service.send({ path, query, headers: loja.headers }), 200);

  describe('line 3: lists', () => {
    test.each<[path: string, query: Query]>([
      ['autocompletes', { prefix: 'ten' }],
      ['autocompletes', { prefix: 'zzzz' }],
      ['autocompletes', { prefix: 'ten', resultsQueries: 0, resultsProducts: 0 }],
      ['autocompletes/popular', {}],
      ['autocompletes/products', { terms: 'zzzz' }],
    ])('of %s %j are there, and so is the UUID', async (path, query) => {
      const reply = await get(`${V3}/${path}`, query);
      for (const list of ['products', 'queries']) expect([list, Array.isArray(reply[list])]).toEqual([list, true]);
      expect(reply['searchId']).toMatch(UUID);
      expect(reply).not.toHaveProperty('code');
    });

    test.each<[path: string, query: Query]>([
      ['navigates', { category: 'Moda' }],
      ['hotsites', { name: 'verao' }],
      ['search', { terms: 'promo' }],
    ])('of %s %j are there, and so are the integer size and the UUID', async (path, query) => {
      const reply = await get(`${V3}/${path}`, query);
      for (const list of ['products', 'filters', 'quickFilters', 'suggestions', 'sort', 'banners']) {
        expect([list, Array.isArray(reply[list])]).toEqual([list, true]);
      }
      expect([Number.isInteger(reply['size']), reply['searchId']]).toEqual([true, expect.stringMatching(UUID)]);
      expect(reply['queries']).toHaveProperty('original');
    });
  });

  test.each<[path: string, query: Query]>([
    ['navigates', { category: 'Nenhuma' }],
    ['hotsites', { name: 'nada' }],
  ])('line 5: a 404 of %s holds searchId, code and message', async (path, query) => {
    const { status, json } = await service.send({ path: `${V3}/${path}`, query, headers: loja.headers });
    expect([status, json]).toEqual([
      404,
      expect.objectContaining({
        searchId: expect.stringMatching(UUID) as string,
        code: 404,
        message: expect.any(String) as string,
      }),
    ]);
  });

  test('line 9: a redirect has queryType and link, and the name of a hotsite link answers the hotsite', async () => {
    for (const path of [ENGAGE, SEARCH, QUERIES]) {
      const reply = await get(path, { terms: 'promo' });
      expect([path, reply['queryType'], reply['link']]).toEqual([path, 'redirect', '/especial/verao?utm=busca']);
    }
    const name = /^\/especial\/([^?]+)\?/.exec(String((await get(ENGAGE, { terms: 'promo' }))['link']))?.[1] ?? '';
    expect(await get(`${V3}/hotsites`, { name })).toMatchObject({ size: 3, hotsite: { title: 'Verão' } });
  });

  describe('line 11: ads', () => {
    test('have an absolute link and px, which are used as delivered', async () => {
      const [widget] = await shop.widgets({ userId: 'ana' });
      const [card] = widget?.data ?? [];
      for (const address of [widget?.px, card?.px, card?.link]) expect(address).toMatch(/^https?:\/\/[^/]+\//);
      expect((await shop.follow(card?.px ?? '')).status).toBe(200);
      expect((await shop.follow(card?.link ?? '')).status).toBe(302);
    });

    test.each(['tId', 'tID'])('join showcase, click and conversion by the user id, the order by %s', async (id) => {
      const userId = `joined-${id}`;
      const sales = async (): Promise<number> => (await shop.metrics()).rows[0]?.conversions ?? 0;
      const before = await sales();
      expect(await shop.click((await shop.card({}, { 'x-user-id': userId })).link)).toBe(true);
      const order = { [id]: userId, currency: 'BRL', products: [{ sku: 'anunciado', price: 10, qty: 1 }], total: 10 };
      expect((await shop.convert(order, 'somebody-else')).status).toBe(200);
      expect(await sales()).toBe(before);
      expect((await shop.convert({ ...order, [id]: `${userId}-own` }, userId)).status).toBe(200);
      expect(await sales()).toBe(before + 1);
    });
  });

  test('line 12: every list and event is answered before clients give up', async () => {
    const { origin } = loja.keys;
    const calls = [
      { path: ENGAGE, query: { terms: 'tenis' } },
      { path: QUERIES, query: { terms: 'tenis' } },
      { path: `${V3}/navigates`, query: { category: 'Moda' } },
      { path: `${V3}/hotsites`, query: { name: 'verao' } },
      { path: `${V3}/autocompletes`, query: { prefix: 'ten' } },
      { path: `${V3}/autocompletes/popular` },
      { path: `${V3}/autocompletes/products`, query: { terms: 'tenis' } },
      { method: 'POST', path: '/v7/events/views/product', body: { pid: VELOZ[0], userId: 'ana' } },
    ];
    await unlessStarved(async () => {
      for (const call of calls) {
        const since = performance.now();
        expect((await service.send({ ...call, headers: { origin } })).status).toBeLessThan(300);
        expect([call.path, performance.now() - since < 2000]).toEqual([call.path, true]);
      }
    });
  });
});
