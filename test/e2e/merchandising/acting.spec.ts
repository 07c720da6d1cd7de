import { aProduct } from '../../builders/a-product';
import { CALMA, VELOZ } from '../../builders/a-shop';
import { merchandise } from '../../support/merchandise';
import { startShop } from '../../support/a-started-shop';
import { describeModes } from '../../support/modes';
import { type Json, QUERIES, type Query, SEARCH, type SearchReply, type StoreClient } from '../../support/store-client';
import type { WholeApp } from '../../support/whole-app';

const NAVIGATES = '/engage/search/v3/navigates';
const HOTSITES = '/engage/search/v3/hotsites';
const AUTOCOMPLETES = '/engage/search/v3/autocompletes';
const HOUR = 3_600_000;
const ARRAYS = ['products', 'filters', 'quickFilters', 'suggestions', 'sort', 'banners'];

/** What a store's rules, redirects, synonyms and banners do to its searches and lists. */
describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    ({ service, loja } = await startShop(mode, [
      aProduct({ id: 'tv', name: 'Televisão 50 polegadas', brand: 'Ver', categories: ['Eletro'] }),
      aProduct({ id: 'fone', name: 'Smartphone Azul', brand: 'Ver', categories: ['Eletro'] }),
      aProduct({
        id: 'meia',
        name: 'Meia',
        brand: 'Pé',
        categories: [
          { id: '70', name: 'Roupas', parents: [] },
          { id: '71', name: 'Meias', parents: ['70'] },
        ],
      }),
      aProduct({ id: 'fritar', name: 'Fritadeira sem Óleo', brand: 'Cozinha', categories: ['Eletro'] }),
    ]));
    await merchandise(loja, 'hotsites', [{ name: 'promo', title: 'Promo', products: [...VELOZ, ...CALMA] }]);
  });
  afterAll(() => service.close());
  afterEach(async () => {
    for (const noun of ['synonyms', 'redirects', 'rules', 'banners'] as const) await merchandise(loja, noun, []);
  });

  const order = async (query: Query, path = SEARCH): Promise<string[]> => {
    const asked = { productFormat: 'onlyIds', resultsPerPage: 100, ...query };
    return (await loja.search(asked, path)).products.map(({ id }) => id);
  };
  const at = (hours: number): string => new Date(service.clock.now() + hours * HOUR).toISOString();

  describe('rules', () => {
    const rule = (fields: Json): Json => ({ id: 'r1', type: 'pin', products: ['calma-12'], ...fields });

    test('act by query, whatever casing and accents it has, and on no other', async () => {
      await merchandise(loja, 'rules', [rule({ query: 'TENIS' })]);
      expect((await order({ terms: 'tênis' }))[0]).toBe('calma-12');
      expect((await order({ terms: 'tenis' }, QUERIES))[0]).toBe('calma-12');
      expect((await order({ terms: 'corrida' }))[0]).not.toBe('calma-12');
      expect((await order({ category: 'Moda' }, NAVIGATES))[0]).not.toBe('calma-12');
    });

    test('act by category, in what is below it too, and in a search that is narrowed to it', async () => {
      await merchandise(loja, 'rules', [rule({ category: 'Moda/Calçados' })]);
      expect((await order({ category: ['Moda', 'Calçados'] }, NAVIGATES))[0]).toBe('calma-12');
      expect((await order({ category: ['Moda', 'Calçados', 'Tênis'] }, NAVIGATES))[0]).toBe('calma-12');
      expect((await order({ terms: 'tenis', filter: 'category:moda/calcados' }))[0]).toBe('calma-12');
      expect((await order({ category: 'Moda' }, NAVIGATES))[0]).not.toBe('calma-12');
      expect((await order({ terms: 'tenis' }))[0]).not.toBe('calma-12');
    });

    test.each(['71', 'Meias', '70', 'roupas/meias', '70/Meias'])(
      'act by a category as it may be called, on its page and in searches that are narrowed to it: %s',
      async (category) => {
        await merchandise(loja, 'rules', [rule({ category, products: ['tv'] })]);
        expect((await order({ category: 'Meias' }, NAVIGATES))[0]).toBe('tv');
        expect((await order({ fields: 'category:71' }, NAVIGATES))[0]).toBe('tv');
        const { filters } = await loja.search({ terms: 'meia' }, SEARCH);
        const [top] = (filters[0]?.values ?? []) as unknown as { filters: { id: number }[] }[];
        const level = top?.filters[0]?.id;
        for (const filter of ['category:71', 'category:meias', `d:${level}:${level}`]) {
          // What is pinned has to pass the filter: the banner tells that it acts.
          await merchandise(loja, 'banners', [{ id: 'b', category, image: '/b.png', link: '/b' }]);
          expect([filter, (await loja.search({ terms: 'meia', filter }, SEARCH))['banners']]).toEqual([
            filter,
            [{ id: 'b', image: '/b.png', link: '/b' }],
          ]);
        }
        expect((await order({ category: 'Moda' }, NAVIGATES))[0]).not.toBe('tv');
        await merchandise(loja, 'rules', [rule({ category, type: 'hide', products: ['meia'] })]);
        expect(await order({ categoryId: '71' }, `${AUTOCOMPLETES}/products`)).toEqual([]);
        expect(await order({ prefix: 'meia' }, AUTOCOMPLETES)).toEqual(['meia']);
      },
    );

    test('act by hotsite', async () => {
      await merchandise(loja, 'rules', [rule({ hotsite: 'PROMO' })]);
      expect((await order({ name: 'promo' }, HOTSITES))[0]).toBe('calma-12');
      expect((await order({ terms: 'tenis' }))[0]).not.toBe('calma-12');
    });

    test('act from their first time until their last, as far as they are enabled', async () => {
      await merchandise(loja, 'rules', [
        rule({ from: at(1), to: at(3) }),
        rule({ id: 'off', enabled: false, products: ['calma-11'] }),
      ]);
      const first = async (): Promise<string | undefined> => (await order({ terms: 'tenis' }))[0];
      expect(await first()).not.toMatch(/calma-1[12]/);
      service.clock.advance(HOUR);
      expect(await first()).toBe('calma-12');
      service.clock.advance(2 * HOUR);
      expect(await first()).not.toMatch(/calma-1[12]/);
    });

    test('hide, boost and bury, and say so to those who may ask', async () => {
      const neutral = await order({ terms: 'tenis', personalize: false });
      const [top = '', second = ''] = neutral;
      await merchandise(loja, 'rules', [
        rule({ id: 'hide', type: 'hide', products: [top] }),
        rule({ id: 'bury', type: 'bury', products: [second] }),
        rule({ id: 'boost', type: 'boost', products: ['calma-07'], factor: 3 }),
      ]);
      const query = { terms: 'tenis', personalize: false, explain: true, resultsPerPage: 100 };
      const reply = await loja.search(query, SEARCH);
      const ids = reply.products.map(({ id }) => id);
      expect([reply.size, ids[0], ids.at(-1)]).toEqual([23, 'calma-07', second]);
      expect(ids).not.toContain(top);
      const boosts = (reply.products[0]?.explanation?.['boosts'] ?? []) as Json[];
      expect(boosts).toContainEqual({ name: 'rule:boost', factor: 3, type: 'boost' });
      expect(reply.filters.flatMap(({ values }) => values.map(({ size }) => size))).toEqual(
        expect.arrayContaining([11, 12]),
      );
      const asked = await loja.search({ pids: [top], productFormat: 'onlyIds' }, SEARCH);
      expect(asked.products.map(({ id }) => id)).toEqual([top]);
    });

    test('pin above what is personal, the same on every page, and not where the shopper sorts', async () => {
      await loja.buy({ userId: 'bia' }, VELOZ.slice(0, 3));
      await merchandise(loja, 'rules', [rule({ position: 6, products: ['calma-11', 'tv'] })]);
      const query = { terms: 'tenis', userId: 'bia' };
      const whole = await order(query);
      expect(whole).toHaveLength(25);
      expect(whole.slice(5, 7)).toEqual(['calma-11', 'tv']);
      const pages: string[] = [];
      for (let page = 1; page <= 7; page += 1) pages.push(...(await order({ ...query, page, resultsPerPage: 4 })));
      expect(pages).toEqual(whole);
      const sorted = await order({ ...query, sortBy: 'pid' });
      expect(sorted).toEqual([...CALMA, 'tv', ...VELOZ]);
      const explained = await loja.search({ ...query, explain: true }, SEARCH);
      expect(explained.products[5]?.explanation?.['tier']).toBe('pin');
    });
  });

  describe('redirects', () => {
    beforeEach(() => merchandise(loja, 'redirects', [{ terms: ['Onde está meu pedido?', 'frete'], link: '/ajuda' }]));

    test.each([SEARCH, QUERIES, '/engage/search/v3/search'])('answer %s with a link and empty lists', async (path) => {
      const reply = await loja.search({ terms: 'onde esta MEU pedido' }, path);
      expect(reply).toMatchObject({ queryType: 'redirect', link: '/ajuda', size: 0 });
      expect(reply['queries']).toEqual({
        original: 'onde esta MEU pedido',
        normalized: 'onde esta meu pedido',
        processed: 'onde esta meu pedido',
        queryType: 'redirect',
      });
      const lists = [...ARRAYS, ...(path === QUERIES ? ['terms'] : [])];
      for (const list of lists) expect([list, Array.isArray(reply[list])]).toEqual([list, true]);
      expect(reply.products).toEqual([]);
      expect(reply.pagination.last).toContain('page=1');
      expect(reply).not.toHaveProperty('code');
    });

    test('are not followed where the caller does not allow it, nor for more than the term', async () => {
      const found = await loja.search({ terms: 'frete', allowRedirect: false }, SEARCH);
      expect(found).not.toHaveProperty('link');
      expect(await loja.search({ terms: 'frete gratis' }, SEARCH)).not.toHaveProperty('queryType');
      const explained = await loja.search({ terms: 'FRETE', explain: true }, SEARCH);
      expect(explained['redirect']).toEqual({ term: 'frete' });
    });

    test('lead to hotsites, which answer by their name', async () => {
      await merchandise(loja, 'redirects', [{ terms: ['promo'], link: '/especial/promo?utm=busca' }]);
      const { link } = await loja.search({ terms: 'promo' }, SEARCH);
      const name = /^\/especial\/([^?]+)/.exec(String(link))?.[1] ?? '';
      expect((await loja.search({ name }, HOTSITES)).size).toBe(24);
    });
  });

  describe('synonyms', () => {
    test('of the language act unless the store turns them off', async () => {
      expect(await order({ terms: 'celular' })).toEqual(['fone']);
      expect(await order({ terms: 'tv 50 polegadas' })).toEqual(['tv']);
      await loja.admin({ method: 'PATCH', path: '', body: { settings: { starterSynonyms: false } } });
      expect(await order({ terms: 'celular' })).toEqual([]);
      await loja.admin({ method: 'PATCH', path: '', body: { settings: { starterSynonyms: true } } });
    });

    test('of the store act at once, one way or both, words and phrases', async () => {
      await merchandise(loja, 'synonyms', [
        { from: 'telinha', to: ['televisão'] },
        { terms: ['panela mágica', 'fritadeira sem óleo'] },
      ]);
      expect(await order({ terms: 'telinha' })).toEqual(['tv']);
      expect(await order({ terms: 'panelas mágicas' })).toEqual(['fritar']);
      const reply = await loja.search({ terms: 'telinha' }, SEARCH);
      expect(reply['queries']).toMatchObject({ processed: 'telinha', queryType: 'search' });
      const { products } = await loja.search({ terms: 'telinha', explain: true }, SEARCH);
      expect(products[0]?.explanation?.['synonyms']).toEqual([{ word: 'telinha', as: 'televisao' }]);
      await merchandise(loja, 'synonyms', []);
      expect(await order({ terms: 'telinha' })).toEqual([]);
    });

    test.each(['${jndi:x} "tv" || * AND (', '%', `${'tv '.repeat(170)}`, 'tv\u0000celular', '\u{1f4fa} tv'])(
      'leave hostile text as data: %j',
      async (terms) => {
        expect((await loja.search({ terms }, SEARCH)).size).toBeGreaterThanOrEqual(0);
      },
    );
  });

  test('banners are shown by query, category, hotsite and time', async () => {
    const banner = (id: string, fields: Json): Json => ({ id, image: `/${id}.png`, link: `/${id}`, ...fields });
    await merchandise(loja, 'banners', [
      banner('everywhere', { title: 'Oi' }),
      banner('query', { query: 'tênis' }),
      banner('category', { category: 'Moda' }),
      banner('hotsite', { hotsite: 'promo' }),
      banner('past', { to: at(-1) }),
      banner('now', { from: at(-1), to: at(1), query: 'tenis' }),
    ]);
    const shown = async (query: Query, path: string): Promise<Json[]> =>
      ((await loja.search(query, path)) as SearchReply)['banners'] as Json[];
    const ids = (banners: Json[]): unknown[] => banners.map(({ id }) => id);
    expect(await shown({ terms: 'lampada' }, SEARCH)).toEqual([
      { id: 'everywhere', image: '/everywhere.png', link: '/everywhere', title: 'Oi' },
    ]);
    expect(ids(await shown({ terms: 'tenis' }, SEARCH))).toEqual(['everywhere', 'query', 'now']);
    expect(ids(await shown({ category: 'Moda' }, NAVIGATES))).toEqual(['everywhere', 'category']);
    expect(ids(await shown({ name: 'promo' }, HOTSITES))).toEqual(['everywhere', 'hotsite']);
  });
});
