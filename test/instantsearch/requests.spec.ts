import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { projectRoot } from '../../src/storage/threads';
import type * as adapter from '../../web/instantsearch/src/index';

function forNode(): typeof adapter {
  const entryPoints = [join(projectRoot, 'web', 'instantsearch', 'src', 'index.ts')];
  const { outputFiles } = buildSync({ entryPoints, bundle: true, write: false, format: 'cjs', platform: 'node' });
  const module = { exports: {} };
  // oxlint-disable-next-line typescript/no-implied-eval -- the text is what was just bundled
  new Function('module', 'exports', outputFiles[0]?.text ?? '')(module, module.exports);
  return module.exports as typeof adapter;
}

const NOTHING = {
  searchId: 's',
  size: 30_000,
  queries: { original: '', processed: '', queryType: 'search' },
  filters: [],
  suggestions: [],
  banners: [],
  products: [],
};

describe('what a request of a widget asks the service', () => {
  const { createSearchClient } = forNode();
  const asked: URLSearchParams[] = [];
  const options = {
    baseUrl: 'https://vitrine.example/',
    fetch: async (input: Parameters<typeof fetch>[0]) => {
      asked.push(new URL(String(input)).searchParams);
      return Response.json(NOTHING);
    },
  };
  const client = createSearchClient(options);

  async function filtersOf(params: object): Promise<string[] | undefined> {
    await client.search([{ indexName: 'products', params }]);
    return asked.at(-1)?.getAll('filter').toSorted();
  }

  test('filters in every way of writing them', async () => {
    expect(await filtersOf({ filters: 'brand:Acme AND (tag:"New in" OR tag:Sale) AND price >= 10' })).toEqual([
      'brand:Acme',
      'price:10..',
      'tag:New in',
      'tag:Sale',
    ]);
    expect(await filtersOf({ numericFilters: ['price>=10', 'price<=20.5', 'price>=12'] })).toEqual(['price:12..20.5']);
    expect(await filtersOf({ filters: 'price:10 TO 20' })).toEqual(['price:10..20']);
    expect(
      await filtersOf({ facetFilters: [['details.Cor:Azul', 'details.Cor:\\-5'], 'categories.lvl1:TV/Video > 4K'] }),
    ).toEqual(['category:TV Video/4K', 'detail.cor:-5', 'detail.cor:Azul']);
    expect(await filtersOf({ facetFilters: ['brand:A', ['brand:A', 'brand:B']] })).toEqual(['brand:A']);
  });

  test.each([
    [{ facetFilters: ['brand:-Acme'] }],
    [{ facetFilters: ['brand:A', 'brand:B'] }],
    [{ facetFilters: [['brand:A', 'tag:B']] }],
    [{ numericFilters: ['price>10'] }],
    [{ filters: 'NOT brand:Acme' }],
    [{ insideBoundingBox: [[1, 2, 3, 4]] }],
    [{ aroundLatLng: '1,2' }],
    [{ aroundLatLngViaIP: true }],
    [{ tagFilters: ['new'] }],
    [{ optionalFilters: 'brand:Acme' }],
    [{ relevancyStrictness: 50 }],
  ])('%j is refused', async (params) => {
    await expect(filtersOf(params)).rejects.toThrow("vitrine can't filter by");
  });

  test('what is there and empty asks for nothing', async () => {
    const empty = { insideBoundingBox: undefined, aroundLatLng: '', aroundLatLngViaIP: false, ruleContexts: [] };
    expect(await filtersOf(empty)).toEqual([]);
  });

  test('orders, pages within reach, and what every search of a page has', async () => {
    const { results } = await client.search([{ indexName: 'shop:en:ascPrice', params: { page: 2, hitsPerPage: 500 } }]);
    expect([asked.at(-1)?.get('sortBy'), asked.at(-1)?.get('page'), asked.at(-1)?.get('resultsPerPage')]).toEqual([
      'ascPrice',
      '3',
      '100',
    ]);
    expect([results[0]?.nbPages, results[0]?.hitsPerPage, results[0]?.nbHits]).toEqual([100, 100, 30_000]);
    await client.search([{ indexName: 'shop', params: { page: 5000 } }]);
    expect([asked.at(-1)?.get('page'), asked.at(-1)?.get('resultsPerPage')]).toEqual([null, '0']);
    const own = createSearchClient({
      ...options,
      apiKey: 'demo',
      origin: 'http://localhost:3000',
      parameters: { salesChannel: ['app', 'web'] },
      shopper: () => ({ deviceId: 'd-1' }),
    });
    await own.search([{ indexName: 'shop', params: { query: 'tv', userToken: 'other' } }]);
    const query = asked.at(-1);
    expect(['apiKey', 'origin', 'deviceId', 'userId', 'terms'].map((name) => query?.get(name))).toEqual([
      'demo',
      'http://localhost:3000',
      'd-1',
      null,
      'tv',
    ]);
    expect(query?.getAll('salesChannel')).toEqual(['app', 'web']);
  });

  test('a refusal is an error with the status and word of the service', async () => {
    const refused = createSearchClient({
      baseUrl: '',
      fetch: async () =>
        Response.json({ error: 'invalid_parameter', message: 'sortBy: must be one of: relevance' }, { status: 400 }),
    });
    const error = await refused.search([{ indexName: 'shop:best' }]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      status: 400,
      error: 'invalid_parameter',
      message: 'sortBy: must be one of: relevance',
    });
  });
});
