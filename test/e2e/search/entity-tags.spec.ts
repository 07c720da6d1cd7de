import { merchandise } from '../../support/merchandise';
import { startShop } from '../../support/a-started-shop';
import { describeModes } from '../../support/modes';
import { ENGAGE, QUERIES, type Query, type Reply, SEARCH, type StoreClient } from '../../support/store-client';
import type { WholeApp } from '../../support/whole-app';

const V3 = '/engage/search/v3';
const lists: [name: string, path: string, query: Query, other: Query][] = [
  ['search', ENGAGE, { terms: 'tenis' }, { page: 2 }],
  ['search, as older clients call it', SEARCH, { terms: 'tenis' }, { page: 2 }],
  ['queries', QUERIES, { terms: 'tenis' }, { page: 2 }],
  ['a category', `${V3}/navigates`, { category: 'Moda' }, { page: 2 }],
  ['a brand', `${V3}/navigates`, { fields: 'brand:Veloz' }, { sortBy: 'descPrice' }],
  ['a hotsite', `${V3}/hotsites`, { name: 'luz' }, { resultsPerPage: 2 }],
  ['autocompletes', `${V3}/autocompletes`, { prefix: 'ten' }, { resultsProducts: 2 }],
  ['popular', `${V3}/autocompletes/popular`, {}, { resultsProducts: 2 }],
  ['products of a query', `${V3}/autocompletes/products`, { terms: 'tenis' }, { resultsProducts: 2 }],
];

/** Replies that are the same for everyone: contract 3. */
describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    ({ service, loja } = await startShop(mode));
    await merchandise(loja, 'hotsites', [{ name: 'luz', title: 'Luz', filter: ['brand:Luz'] }]);
  });
  afterAll(() => service.close());

  describe.each(lists)('the tag of %s', (_name, path, asked, change) => {
    const get = (query: Query = {}, headers: Record<string, string> = {}): Promise<Reply> =>
      service.send({ path, query: { ...asked, ...query }, headers: { ...loja.headers, ...headers } });

    test('is the same for the same content, and then there is nothing to send', async () => {
      const [one, two] = [await get(), await get()];
      const tag = String(one.headers['etag']);
      expect([one.status, tag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{22}"$/)]);
      expect([two.headers['etag'], two.json['searchId'] === one.json['searchId']]).toEqual([tag, false]);
      for (const known of [tag, `"other", ${tag}`, '*', tag.slice(2)]) {
        const { status, text, headers } = await get({}, { 'if-none-match': known });
        expect([known, status, text, headers['etag']]).toEqual([known, 304, '', tag]);
        expect(String(headers['vary'])).toBe('Origin, accept-encoding');
      }
      const other = await get(change, { 'if-none-match': tag });
      expect([other.status, other.headers['etag'] === tag]).toEqual([200, false]);
    });

    test('is only on what is the same for everyone', async () => {
      expect((await get({ userId: 'ana' })).headers).not.toHaveProperty('etag');
      expect((await get({ deviceId: 'd1' }, { 'if-none-match': '*' })).status).toBe(200);
      expect((await get({ userId: 'ana', personalize: false })).headers).toHaveProperty('etag');
    });
  });

  test('a list that is not there has none', async () => {
    const path = `${V3}/navigates`;
    const headers = { ...loja.headers, 'if-none-match': '*' };
    const reply = await service.send({ path, query: { category: 'Nenhuma' }, headers });
    expect([reply.status, reply.headers['etag']]).toEqual([404, undefined]);
  });
});
