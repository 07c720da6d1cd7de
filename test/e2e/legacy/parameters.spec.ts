import { aProduct } from '../../builders/a-product';
import { CALMA, VELOZ } from '../../builders/a-shop';
import { merchandise } from '../../support/merchandise';
import { startShop } from '../../support/a-started-shop';
import { describeModes } from '../../support/modes';
import { refused } from '../../support/refused';
import {
  ENGAGE,
  type Json,
  must,
  QUERIES,
  type Query,
  SEARCH,
  type SearchReply,
  type StoreClient,
} from '../../support/store-client';
import type { WholeApp } from '../../support/whole-app';

const aBall = (changes: Json): Json => aProduct({ categories: ['Esporte > Bolas'], ...changes });

/** Every parameter of a search: the rows of table 4.1 of the wire contract, by name. */
describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    ({ service, loja } = await startShop(mode, [
      aBall({ id: 'barato', name: 'Bola Azul', price: 10, created: '2026-01-02', sold: 1, brand: 'Gol' }),
      aBall({
        id: 'caro',
        name: 'Bola Verde',
        price: 90,
        oldPrice: 100,
        created: '2026-01-01',
        sold: 9,
        brand: 'Gol',
        rating: { average: 4, count: 50 },
      }),
      aBall({ id: 'fora', name: 'Bola Rara', price: 50, status: 'unavailable', brand: 'Rara' }),
      aBall({ id: 'so-app', name: 'Bola do App', price: 20, salesChannel: 'app' }),
      aBall({ id: 'barato', name: 'Bola Azul', price: 8, salesChannel: 'clube' }),
    ]));
    await merchandise(loja, 'redirects', [{ terms: ['frete'], link: '/ajuda' }]);
  });
  afterAll(() => service.close());

  const search = (query: Query, path = SEARCH): Promise<SearchReply> => loja.search(query, path);
  const ids = ({ products }: SearchReply): string[] => products.map(({ id }) => id);
  const order = async (query: Query): Promise<string[]> => ids(await search({ terms: 'bola', ...query }));
  const isRefused = (query: Query, path: string, saying: RegExp, address = SEARCH): Promise<void> =>
    refused(service.send, { path: address, query, headers: loja.headers }, ['invalid_parameter', path, saying]);

  describe('row terms', () => {
    test('is what is searched, up to 512 characters', async () => {
      for (const path of [ENGAGE, SEARCH, QUERIES]) expect((await search({ terms: 'tenis' }, path)).size).toBe(24);
      expect((await search({ terms: 'x'.repeat(512) })).size).toBe(0);
      await isRefused({ terms: 'x'.repeat(513) }, 'terms', /512/);
    });

    test('is needed on results pages unless there are pids or a filter; queries answers what fits without it', async () => {
      for (const path of [ENGAGE, SEARCH]) {
        await isRefused({}, 'terms', /required/, path);
        expect((await search({ pids: 'barato' }, path)).size).toBe(1);
        expect((await search({ filter: 'brand:Gol' }, path)).size).toBe(2);
      }
      const reply = await search({}, QUERIES);
      expect([reply.size > 30, Array.isArray(reply['terms'])]).toEqual([true, true]);
    });
  });

  test('row pids: products by id in the order asked, paged only by resultsPerPage, up to 100', async () => {
    const pids = [...CALMA, 'barato', ...VELOZ, 'nobody', 'caro'];
    const known = pids.filter((id) => id !== 'nobody');
    expect(ids(await search({ pids }))).toEqual(known);
    expect(ids(await search({ pids, resultsPerPage: 5, page: 2 }))).toEqual(known.slice(5, 10));
    const third = await search({ pids, page: 3 });
    expect([ids(third), third['warnings'], third.pagination.prev]).toEqual([
      known,
      [expect.objectContaining({ path: 'page' })],
      undefined,
    ]);
    await isRefused({ pids: Array.from({ length: 101 }, (_, at) => `p${at}`) }, 'pids', /100/);
  });

  test('row page: from 1, 1 below it with a warning, and no further than 10,000 products', async () => {
    const pages = [1, 2, 3].map((page) => order({ terms: 'tenis', sortBy: 'pid', resultsPerPage: 10, page }));
    expect((await Promise.all(pages)).map(({ length }) => length)).toEqual([10, 10, 4]);
    const below = await search({ terms: 'tenis', sortBy: 'pid', page: -1 });
    expect([ids(below), below['warnings']]).toEqual([
      await order({ terms: 'tenis', sortBy: 'pid' }),
      [expect.objectContaining({ path: 'page' })],
    ]);
    expect((await search({ terms: 'tenis', page: 100, resultsPerPage: 100 })).size).toBe(24);
    await isRefused({ terms: 'tenis', page: 101, resultsPerPage: 100 }, 'page', /10000/);
    for (const page of ['1.5', 'abc', '0x2', '1e1']) {
      await isRefused({ terms: 'tenis', page }, 'page', /whole number/);
    }
    await isRefused({ terms: 'tenis', page: '9'.repeat(30) }, 'page', /10000/);
  });

  test('row resultsPerPage: 24, 0 for facets and size alone, 100 at most with a warning', async () => {
    const every = { filter: ['brand:Veloz', 'brand:Calma', 'brand:Luz'] };
    expect(ids(await search(every))).toHaveLength(24);
    const none = await search({ ...every, resultsPerPage: 0 });
    expect([none.size, none.products, none.filters.length > 0]).toEqual([30, [], true]);
    const much = await search({ ...every, resultsPerPage: 101 });
    expect([ids(much).length, much['warnings']]).toEqual([30, [expect.objectContaining({ path: 'resultsPerPage' })]]);
    expect((await search({ ...every, resultsPerPage: -1 })).products).toEqual([]);
  });

  test.each([
    ['relevance', null],
    ['pid', ['barato', 'caro', 'fora']],
    ['ascPrice', ['barato', 'fora', 'caro']],
    ['descPrice', ['caro', 'fora', 'barato']],
    ['descDate', ['barato', 'caro']],
    ['ascSold', ['barato', 'caro', 'fora']],
    ['descSold', ['caro', 'barato', 'fora']],
    ['ascReview', ['caro']],
    ['descReview', ['caro']],
    ['descDiscount', ['caro']],
  ])('row sortBy: %s is %j', async (sortBy, first) => {
    const found = await order({ sortBy });
    expect(found.toSorted()).toEqual(['barato', 'caro', 'fora']);
    if (first) expect(found.filter((id) => first.includes(id)).slice(0, first.length)).toEqual(first);
    if (first?.length === 1) expect(found[0]).toBe(first[0]);
  });

  test('row sortBy: another value is refused with those there are', () =>
    isRefused({ terms: 'bola', sortBy: 'price' }, 'sortBy', /relevance.*descDiscount/));

  test.each<[filter: string | string[], found: string[]]>([
    ['brand:Gol', ['barato', 'caro']],
    [
      ['brand:Gol', 'brand:rara'],
      ['barato', 'caro', 'fora'],
    ],
    [['brand:Gol', 'price:50..100'], ['caro']],
    ['price:10..50', ['barato', 'fora']],
    ['availability:available', ['barato', 'caro']],
    ['discount:10..50', ['caro']],
    ['category:esporte/bolas', ['barato', 'caro', 'fora']],
    ['category:moda/calcados', []],
    ['brand:Nobody', []],
  ])('row filter: %j finds %j', async (filter, found) => {
    expect((await order({ filter })).toSorted()).toEqual(found);
  });

  test('row filter: by the ids of a reply; ids never handed out are ignored with a warning, unknown attributes refused', async () => {
    const { filters } = await search({ terms: 'bola' });
    const [value] = filters.flatMap((one) => one.values.map((own) => ({ filter: one.id, ...own }))).filter(isGol);
    expect((await order({ filter: `d:${value?.filter}:${value?.id}` })).toSorted()).toEqual(['barato', 'caro']);
    const old = await search({ terms: 'bola', filter: 'd:777777:888888' });
    expect([old.size, old['warnings']]).toEqual([3, [expect.objectContaining({ path: 'filter' })]]);
    await isRefused({ terms: 'bola', filter: 'colour:red' }, 'filter', /attribute/);
    await isRefused({ terms: 'bola', filter: 'd:abc:def' }, 'filter', /d:/);
  });

  test('row salesChannel: products as they are there; of several, the first in which they exist', async () => {
    expect(await order({})).not.toContain('so-app');
    expect(await order({ salesChannel: 'app' })).toContain('so-app');
    const price = async (salesChannel: string[]): Promise<unknown> =>
      (await search({ pids: 'barato', salesChannel })).products.map((product) => (product as unknown as Json)['price']);
    expect([await price(['clube']), await price(['app', 'clube']), await price([])]).toEqual([[8], [10], [10]]);
  });

  test('row showOnlyAvailable: the setting of the store unless the caller says so', async () => {
    expect((await order({ showOnlyAvailable: true })).toSorted()).toEqual(['barato', 'caro']);
    expect(await order({})).toHaveLength(3);
    const set = (showOnlyAvailable: boolean) =>
      loja.admin({ method: 'PATCH', path: '', body: { settings: { showOnlyAvailable } } });
    must(await set(true), 200);
    expect([(await order({})).length, (await order({ showOnlyAvailable: false })).length]).toEqual([2, 3]);
    must(await set(false), 200);
    await isRefused({ terms: 'bola', showOnlyAvailable: 'maybe' }, 'showOnlyAvailable', /true or false/);
  });

  test('row productFormat: complete on results pages, compact on queries, or as asked', async () => {
    const fields = async (query: Query, path: string): Promise<string[]> =>
      Object.keys((await search({ terms: 'bola', ...query }, path)).products[0] ?? {});
    for (const path of [ENGAGE, SEARCH]) expect(await fields({}, path)).toContain('skus');
    const compact = await fields({}, QUERIES);
    expect([compact.includes('installment'), compact.includes('skus')]).toEqual([true, false]);
    expect((await fields({ productFormat: 'onlyIds' }, SEARCH)).toSorted()).toEqual(['clickUrl', 'id']);
    await isRefused({ terms: 'bola', productFormat: 'all' }, 'productFormat', /onlyIds, compact, complete/);
  });

  test('row filterNames: each filter says what a filter in words begins with, where it is asked for', async () => {
    const names = async (query: Query): Promise<unknown[]> =>
      (await search({ terms: 'tenis', ...query })).filters.map((filter) => (filter as unknown as Json)['name']);
    expect(await names({ filterNames: 'true' })).toEqual(expect.arrayContaining(['brand', 'price']));
    expect(new Set(await names({}))).toEqual(new Set([undefined]));
  });

  test.each(['filters', 'quickFilters', 'suggestions', 'products', 'terms', 'sort'])(
    'row hide: %s is answered as an empty list',
    async (hide) => {
      const reply = await search({ terms: 'tenis', hide }, QUERIES);
      expect([reply[hide], reply.size]).toEqual([[], 24]);
    },
  );

  test('row userId and row deviceId: whose behaviour ranks, and both merged', async () => {
    await loja.buy({ userId: 'ana' }, CALMA.slice(0, 3));
    await loja.buy({ deviceId: 'd-ana' }, VELOZ.slice(0, 3));
    const profile = async (query: Query): Promise<unknown> =>
      (await search({ terms: 'tenis', ...query })).personalization.profile;
    expect([
      await profile({ userId: 'ana' }),
      await profile({ deviceId: 'd-ana' }),
      await profile({ userId: 'ana', deviceId: 'd-ana' }),
      await profile({}),
    ]).toEqual(['user', 'device', 'merged', 'none']);
    expect((await order({ terms: 'tenis', userId: 'ana' }))[0]).toMatch(/^calma-/);
    expect((await order({ terms: 'tenis', deviceId: 'd-ana' }))[0]).toMatch(/^veloz-/);
  });

  test.each(['desktop', 'mobile', 'app', 'geladeira'])('row source: %s is taken', async (source) => {
    expect((await search({ terms: 'tenis', source })).size).toBe(24);
  });

  test('row personalize: false is the ranking everyone gets', async () => {
    await loja.buy({ userId: 'eva' }, VELOZ.slice(0, 3));
    const neutral = await order({ terms: 'tenis' });
    expect(await order({ terms: 'tenis', userId: 'eva' })).not.toEqual(neutral);
    const reply = await search({ terms: 'tenis', userId: 'eva', personalize: false });
    expect([ids(reply), reply.personalization]).toEqual([
      neutral,
      expect.objectContaining({ applied: false, reason: 'personalize_false' }),
    ]);
  });

  test.each(['True', 'TRUE', 'true', '1', 'False', 'FALSE', 'false', '0'])(
    'a yes or no may be written %s',
    async (text) => {
      const isTrue = /^(?:t|1)/i.test(text);
      const { products } = await search({ terms: 'bola', explain: text });
      expect(products.every((product) => 'explanation' in product === isTrue)).toBe(true);
      expect('queryType' in (await search({ terms: 'frete', allowRedirect: text }))).toBe(isTrue);
    },
  );

  test('row terms: spaces alone are none', async () => {
    for (const path of [SEARCH, ENGAGE]) {
      const call = { path, query: { terms: '  ' }, headers: loja.headers };
      await refused(service.send, call, ['invalid_parameter', 'terms', /is required/]);
    }
    expect((await loja.search({ terms: ' ' }, QUERIES))['queries']).toMatchObject({
      original: '',
      queryType: 'popular',
    });
  });

  test('row allowRedirect: false answers products where a redirect matches', async () => {
    expect(await search({ terms: 'frete' })).toMatchObject({ queryType: 'redirect', link: '/ajuda' });
    expect(await search({ terms: 'frete', allowRedirect: false })).not.toHaveProperty('link');
  });

  test('row explain: reasons for who sends keys, 403 for a page', async () => {
    const { products } = await search({ terms: 'bola', explain: true });
    for (const { explanation } of products) expect(explanation).toMatchObject({ boosts: expect.any(Array) as unknown });
    expect((await search({ terms: 'bola' })).products[0]).not.toHaveProperty('explanation');
    const call = { path: SEARCH, query: { terms: 'bola', explain: true }, headers: { origin: loja.keys.origin } };
    await refused(service.send, call, ['forbidden']);
  });
});

const isGol = (value: object): boolean => 'label' in value && value.label === 'Gol';
