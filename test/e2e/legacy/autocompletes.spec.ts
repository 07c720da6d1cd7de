import { autocompleteReply } from '../../../src/search/autocomplete/autocomplete-reply';
import { aProduct } from '../../builders/a-product';
import { startShop } from '../../support/a-started-shop';
import { describeModes } from '../../support/modes';
import { refused } from '../../support/refused';
import { type Json, must, type Query, QUERIES, type StoreClient } from '../../support/store-client';
import type { WholeApp } from '../../support/whole-app';

const TYPED = '/engage/search/v3/autocompletes';
const POPULAR = `${TYPED}/popular`;
const PRODUCTS = `${TYPED}/products`;

interface Answer {
  queries: { query: string; link: string; category?: string; categoryId?: string }[];
  products: ({ id: string; clickUrl: string } & Json)[];
  personalization: { applied: boolean };
  warnings?: { path: string; message: string }[];
}

/** What a search box shows while a shopper types: contract 4.8. */
describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    ({ service, loja } = await startShop(mode, [
      aProduct({
        id: 'so-clube',
        name: 'Tenda de Camping',
        categories: ['Lazer'],
        brand: 'Campo',
        salesChannel: 'clube',
      }),
      aProduct({
        id: 'capa',
        name: 'Capa para Notebook',
        categories: [{ id: 'info', name: 'Informática' }],
        brand: 'Case',
      }),
    ]));
    const searched = ['tênis veloz', 'tênis calma', 'luminária de mesa', 'capa notebook', 'tênis réplica'];
    for (const [at, terms] of searched.entries()) {
      // The first is searched most.
      for (const userId of ['ana', 'bia', 'eva', 'lia', 'rui', 'ivo', 'noé', 'gil'].slice(0, 8 - at)) {
        await loja.search({ terms, userId, resultsPerPage: 1 });
      }
    }
    for (const userId of ['ana', 'bia']) await loja.search({ terms: 'tênis secreto', userId, resultsPerPage: 1 });
    must(await loja.admin({ method: 'PATCH', path: '', body: { settings: { blockedTerms: ['réplica'] } } }), 200);
    // What is known of somebody holds what they searched last, so what was counted is written; what is offered is remembered for half a minute.
    await loja.exported('ana');
    service.clock.advance(40_000);
  });
  afterAll(() => service.close());

  /** Every reply is read strictly: its lists are there whatever was asked. */
  async function ask(path: string, query: Query = {}, headers: Record<string, string> = loja.headers): Promise<Answer> {
    const json = must(await service.send({ path, query, headers }), 200);
    expect(autocompleteReply.strict().safeParse(json).error).toBeUndefined();
    expect(json).not.toHaveProperty('code');
    return json as unknown as Answer;
  }

  const queriesOf = ({ queries }: Answer): string[] => queries.map(({ query }) => query);
  const idsOf = ({ products }: Answer): string[] => products.map(({ id }) => id);

  describe('what was typed so far', () => {
    test('is completed to queries of other shoppers and to products, five of each', async () => {
      const found = await ask(TYPED, { prefix: 'tên' });
      expect(queriesOf(found)).toEqual(['tênis veloz', 'tênis calma', 'Tênis']);
      expect(found.products).toHaveLength(5);
      for (const { name, skus, clickUrl } of found.products) {
        expect(name).toMatch(/^Tênis /);
        expect(skus).toEqual([expect.objectContaining({ sku: expect.any(String) as string })]);
        expect(clickUrl).toMatch(/^\/search\/v3\/clicks\?apiKey=loja&trackingId=/);
      }
    });

    test('may be called prefix or terms, and resultsQueries and resultsProducts say how much is answered', async () => {
      const found = await ask(TYPED, { terms: 'tên', resultsQueries: 1, resultsProducts: 2 });
      expect([queriesOf(found), found.products.length]).toEqual([['tênis veloz'], 2]);
      const none = await ask(TYPED, { prefix: 'tên', resultsQueries: 0, resultsProducts: 0 });
      expect([none.queries, none.products]).toEqual([[], []]);
      const much = await ask(TYPED, { prefix: 'tên', resultsProducts: 500, resultsQueries: -1 });
      expect([much.queries, much.products.length]).toEqual([[], 24]);
      expect(much.warnings?.map(({ path }) => path)).toEqual(['resultsQueries', 'resultsProducts']);
    });

    test('is found in the middle of a name, and the words before it count', async () => {
      expect(idsOf(await ask(TYPED, { prefix: 'noteb' }))).toEqual(['capa']);
      expect(idsOf(await ask(TYPED, { prefix: 'capa para no' }))).toEqual(['capa']);
      expect(queriesOf(await ask(TYPED, { prefix: 'noteb' }))).toEqual(['capa notebook']);
    });

    test('may hold one typing mistake', async () => {
      const found = await ask(TYPED, { prefix: 'notbo' });
      expect([idsOf(found), queriesOf(found)]).toEqual([['capa'], ['capa notebook']]);
      expect(idsOf(await ask(TYPED, { prefix: 'lumniaria' }))).toHaveLength(5);
    });

    test('finds products of the sales channel alone', async () => {
      expect(idsOf(await ask(TYPED, { prefix: 'tend' }))).toEqual([]);
      expect(idsOf(await ask(TYPED, { prefix: 'tend', salesChannel: 'clube' }))).toEqual(['so-clube']);
    });

    test('is completed to queries that find something in the sales channel', async () => {
      expect(queriesOf(await ask(TYPED, { prefix: 'camp' }))).toEqual([]);
      expect(queriesOf(await ask(TYPED, { prefix: 'camp', salesChannel: 'clube' }))).toEqual(['Campo']);
      expect(queriesOf(await ask(TYPED, { prefix: 'tên', salesChannel: 'clube' }))).toContain('tênis veloz');
      const { queries } = await ask(POPULAR, { salesChannel: 'nowhere-yet' });
      expect(queries.map(({ query }) => query)).toContain('tênis veloz');
    });

    test('is ranked for the shopper who types it', async () => {
      await loja.buy({ userId: 'veloz-fan' }, ['veloz-01', 'veloz-02']);
      await loja.buy({ userId: 'calma-fan' }, ['calma-01', 'calma-02']);
      const brands = async (userId: string): Promise<string[]> => {
        const { products, personalization } = await ask(TYPED, { prefix: 'tên', userId });
        expect(personalization.applied).toBe(true);
        return [...new Set(products.map(({ brand }) => String(brand)))];
      };
      expect([await brands('veloz-fan'), await brands('calma-fan')]).toEqual([['Veloz'], ['Calma']]);
      expect(
        (await ask(TYPED, { prefix: 'tên', userId: 'veloz-fan', personalize: false })).personalization.applied,
      ).toBe(false);
    });

    test('finds nothing, and still has its lists', async () => {
      const found = await ask(TYPED, { prefix: 'zzzz' });
      expect([found.queries, found.products]).toEqual([[], []]);
    });

    test('may be nothing: then what most shoppers search is shown', async () => {
      for (const query of [{}, { prefix: '' }, { prefix: '  ' }, { prefix: 'undefined' }]) {
        const found = await ask(TYPED, query);
        expect([found.queries[0]?.query, found.products.length]).toEqual(['tênis veloz', 5]);
      }
    });

    test.each(['%', '"', '(((', '*', 'tênis &', '🙂', 'a'.repeat(512), '東', '\\', 't.*'])(
      'is data, as %s',
      async (prefix) => {
        await ask(TYPED, { prefix });
        await ask(PRODUCTS, { terms: prefix });
      },
    );
  });

  test('queries that name a category say so, and its products are found by it', async () => {
    const { queries } = await ask(TYPED, { prefix: 'inform' });
    expect(queries).toEqual([
      { query: 'Informática', link: expect.any(String) as string, category: 'Informática', categoryId: 'info' },
    ]);
    expect(idsOf(await ask(PRODUCTS, { categoryId: 'info' }))).toEqual(['capa']);
    expect(idsOf(await ask(PRODUCTS, { terms: 'notebook', categoryId: 'info' }))).toEqual(['capa']);
    expect(idsOf(await ask(PRODUCTS, { terms: 'tênis', categoryId: 'info' }))).toEqual([]);
    expect(idsOf(await ask(PRODUCTS, { categoryId: 'nobody' }))).toEqual([]);
  });

  test('names are offered as the store writes them, in terms and in autocompletes, and their links find them', async () => {
    for (const [prefix, name] of Object.entries({ informa: 'Informática', veloz: 'Veloz', iluminacao: 'Iluminação' })) {
      const { queries } = await ask(TYPED, { prefix, resultsQueries: 20 });
      expect(queries.map(({ query }) => query)).toContain(name);
      for (const { link } of queries) {
        expect(must(await service.send({ path: link, headers: loja.headers }), 200)['size']).toBeGreaterThan(0);
      }
    }
    const { terms } = await loja.search({ terms: 'ilumi' }, QUERIES);
    expect((terms as Json[]).map(({ query }) => query)).toEqual(['Iluminação']);
  });

  test('products of a query that is shown', async () => {
    const found = await ask(PRODUCTS, { terms: 'luminária de mesa', resultsProducts: 3 });
    expect([found.queries, idsOf(found).length]).toEqual([[], 3]);
    for (const id of idsOf(found)) expect(id).toMatch(/^lamp-/);
    await refused(service.send, { path: PRODUCTS, headers: loja.headers }, [
      'invalid_parameter',
      'terms',
      /categoryId/,
    ]);
  });

  test('popular queries are those that were searched most, and products come by id alone', async () => {
    const found = await ask(POPULAR, { resultsQueries: 10 });
    expect(queriesOf(found)).toEqual(['tênis veloz', 'tênis calma', 'luminaria de mesa', 'capa notebook']);
    for (const { link } of found.queries) {
      const { searchParams } = new URL(link, 'http://x');
      expect([searchParams.get('ranking'), searchParams.get('topsearch')]).toEqual(['10', '1']);
    }
    expect(found.products).toHaveLength(5);
    for (const product of found.products) expect(Object.keys(product).sort()).toEqual(['clickUrl', 'id']);
  });

  describe('links', () => {
    const parametersOf = (link: string): string[] => [...new URL(link, 'http://x').searchParams.keys()].sort();

    test('search the query they are of, with what was asked and nothing else', async () => {
      const sent = {
        prefix: 'luminária',
        userId: 'ana',
        source: 'app',
        p: '1',
        origin: 'x',
        utm_source: 'mail',
        resultsQueries: 3,
      };
      const { queries } = await ask(TYPED, sent);
      const link = queries[0]?.link ?? '';
      expect(parametersOf(link)).toEqual(['origin', 'p', 'source', 'terms', 'userId']);
      const reply = must(await service.send({ path: link, headers: loja.headers }), 200);
      expect([reply['size'], (reply['queries'] as Json)['original']]).toEqual([6, 'luminária de mesa']);
    });

    test('hold no secret, and keep the parameters of links that clients send back', async () => {
      const path = `${TYPED}?prefix=ten&apiKey=loja&secretKey=${loja.keys.secretKey}&ranking=10&topsearch=1`;
      const { queries } = must(await service.send({ path }), 200) as unknown as Answer;
      expect(JSON.stringify(queries)).not.toContain(loja.keys.secretKey);
      expect(parametersOf(queries[0]?.link ?? '')).toEqual(['apiKey', 'ranking', 'terms', 'topsearch']);
    });
  });

  describe('what clients in the field send', () => {
    test('names in any casing, lists as key[], empty and unknown parameters', async () => {
      const plain = await ask(TYPED, { prefix: 'tend', salesChannel: 'clube', resultsProducts: 3 });
      const odd = await ask(
        `${TYPED}/?PREFIX=tend&saleschannel[]=clube&resultsproducts=3&deviceId=undefined&userId=&source=null&foo=bar&_=17`,
      );
      expect(idsOf(odd)).toEqual(idsOf(plain));
      expect(idsOf(odd)).toEqual(['so-clube']);
    });

    test('an Origin, as a header or as a parameter, with an apiKey beside it', async () => {
      const { origin } = loja.keys;
      for (const path of [TYPED, POPULAR, `${PRODUCTS}?terms=tenis`]) {
        await ask(path, { apiKey: 'loja', prefix: 'ten' }, { origin });
        await ask(path, { origin, prefix: 'ten' }, {});
      }
    });
  });

  test.each<[string, Query, string, RegExp]>([
    ['too long', { prefix: 'a'.repeat(513) }, 'prefix', /512/],
    ['how many, no number', { prefix: 'a', resultsQueries: 'many' }, 'resultsQueries', /whole number/],
    ['how many, broken', { prefix: 'a', resultsProducts: 1.5 }, 'resultsProducts', /whole number/],
    ['an unknown format', { prefix: 'a', productFormat: 'full' }, 'productFormat', /onlyIds, compact, complete/],
  ])('%s: 400', async (_name, query, path, saying) => {
    for (const address of [TYPED, POPULAR]) {
      await refused(service.send, { path: address, query, headers: loja.headers }, ['invalid_parameter', path, saying]);
    }
  });

  test('explain says why, to who sends keys', async () => {
    const { products } = await ask(TYPED, { prefix: 'ten', explain: true, resultsProducts: 1 });
    expect(products[0]).toHaveProperty('explanation.boosts');
    await refused(
      service.send,
      { path: TYPED, query: { prefix: 'ten', explain: true }, headers: { origin: loja.keys.origin } },
      ['forbidden'],
    );
  });

  describe('beside a search', () => {
    interface Reply extends Json {
      suggestions: { query: string; link: string }[];
      quickFilters: { id: number; attribute: string; type: string; values: { label: string; applyLink: string }[] }[];
      terms: { query: string; link: string; size?: number }[];
    }
    const search = async (query: Query, path = QUERIES): Promise<Reply> =>
      (await loja.search(query, path)) as unknown as Reply;

    test('terms are those that match, and without terms the popular ones', async () => {
      const matching = (await search({ terms: 'capa' })).terms;
      expect(matching).toEqual([
        { query: 'capa notebook', size: 1, link: expect.stringContaining('terms=capa+notebook') as string },
      ]);
      expect((await search({})).terms.slice(0, 2).map(({ query }) => query)).toEqual(['tênis veloz', 'tênis calma']);
    });

    test('suggestions are what others searched with the same words, and close to them where nothing is found', async () => {
      const { suggestions } = await search({ terms: 'tênis' });
      expect(suggestions.map(({ query }) => query)).toEqual(['tênis veloz', 'tênis calma']);
      for (const { link } of suggestions) must(await service.send({ path: link, headers: loja.headers }), 200);
      const none = await search({ terms: 'notebuk', filter: 'brand:Nobody' });
      expect([none['size'], none.suggestions.map(({ query }) => query)]).toEqual([0, ['capa notebook']]);
      expect((await search({ terms: 'tênis', hide: 'suggestions' })).suggestions).toEqual([]);
    });

    test('quick filters are values that divide the result, in the shape of filters', async () => {
      const { quickFilters } = await search({ terms: 'tênis' });
      const brands = quickFilters.find(({ attribute }) => attribute === 'Marca');
      expect(brands?.values.map(({ label }) => label)).toEqual(['Calma', 'Veloz']);
      const chosen = must(await service.send({ path: brands?.values[1]?.applyLink ?? '', headers: loja.headers }), 200);
      expect(chosen['size']).toBe(12);
      expect((await search({ terms: 'tênis', hide: 'quickFilters' })).quickFilters).toEqual([]);
    });
  });
});
