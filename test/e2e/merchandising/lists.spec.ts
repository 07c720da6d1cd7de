import { aProduct } from '../../builders/a-product';
import { VELOZ } from '../../builders/a-shop';
import { expectError } from '../../support/error-reply';
import { merchandise } from '../../support/merchandise';
import { startShop } from '../../support/a-started-shop';
import { describeModes } from '../../support/modes';
import type { Json, Query, Reply, SearchReply, StoreClient } from '../../support/store-client';
import type { WholeApp } from '../../support/whole-app';

const NAVIGATES = '/engage/search/v3/navigates';
const HOTSITES = '/engage/search/v3/hotsites';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Category pages and hotsites (contract 4.8). */
describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    ({ service, loja } = await startShop(mode, [
      aProduct({
        id: 'bola',
        name: 'Bola',
        brand: 'Gol',
        categories: [
          { id: '10', name: 'Esporte', parents: [] },
          { id: '11', name: 'Bolas e Redes', parents: ['10'] },
        ],
      }),
      aProduct({ id: 'rede', name: 'Rede', brand: 'Gol', categories: ['Casa/Jardim'] }),
      aProduct({
        id: 'cabo',
        name: 'Cabo HDMI',
        brand: 'Fio',
        categories: [
          { id: '50', name: 'Eletrônicos', parents: [] },
          { id: '51', name: 'TV / Vídeo', parents: ['50'] },
          { id: '52', name: 'Cabos', parents: ['50', '51'] },
        ],
      }),
    ]));
    await merchandise(loja, 'hotsites', [
      { name: 'Verão', title: 'Verão 2026', description: 'Tudo', products: ['bola', 'rede', ...VELOZ.slice(0, 3)] },
      { name: 'luz', title: 'Luz', filter: ['brand:Luz'], sortRule: 'descPrice' },
      { name: 'vazio', title: 'Vazio', filter: ['brand:Ninguem'] },
      { name: 'folha', title: 'Folha', filter: ['category:Bolas e Redes'] },
      { name: 'barra', title: 'Barra', filter: ['category:TV / Vídeo'] },
      { name: 'codigo', title: 'Código', filter: ['category:11', 'brand:gol'] },
    ]);
  });
  afterAll(() => service.close());

  const get = (path: string, query: Query, headers: Record<string, string> = loja.headers): Promise<Reply> =>
    service.send({ path, query, headers });
  async function list(
    path: string,
    query: Query,
    headers: Record<string, string> = loja.headers,
  ): Promise<SearchReply> {
    const reply = await get(path, query, headers);
    expect([query, reply.status, reply.text.slice(0, 300)]).toEqual([query, 200, expect.anything()]);
    return reply.json as SearchReply;
  }
  const ids = ({ products }: SearchReply): string[] => products.map(({ id }) => id);

  test.each<[string, Query, string, number]>([
    ['a path of names', { category: ['Moda', 'Calçados', 'Tênis'] }, 'Tênis', 24],
    ['accents and casing aside', { category: ['MODA', 'calcados'] }, 'Calçados', 24],
    ['a path in one text', { category: 'Moda/Calçados/Tênis' }, 'Tênis', 24],
    ['a path with signs', { category: 'Moda > Calçados' }, 'Calçados', 24],
    ['ids', { category: ['10', '11'] }, 'Bolas e Redes', 1],
    ['the id of a leaf', { category: '11' }, 'Bolas e Redes', 1],
    ['the name of a leaf', { category: 'Tênis' }, 'Tênis', 24],
    ['a name with a slash', { category: 'Casa/Jardim' }, 'Casa/Jardim', 1],
    ['a name with a slash below others', { category: 'TV / Vídeo' }, 'TV / Vídeo', 1],
    ['a path over a name with a slash', { category: 'Eletrônicos/TV / Vídeo/Cabos' }, 'Cabos', 1],
    ['its levels one by one', { category: ['Eletrônicos', 'tv / video', '52'] }, 'Cabos', 1],
    ['a slash before the path', { category: '/Moda/Calçados/' }, 'Calçados', 24],
    ['a slash before a name', { multicategory: ['/Esporte', ' / Casa/Jardim'] }, 'Esporte, Casa/Jardim', 2],
    ['several categories', { multicategory: ['11', 'Casa/Jardim', 'nenhuma'] }, 'Bolas e Redes, Casa/Jardim', 2],
    ['a value', { fields: 'brand:gol' }, 'gol', 2],
    ['the id of a category, as a value', { fields: 'category:11' }, '11', 1],
    ['the name of a leaf, as a value', { fields: 'category:Bolas e Redes' }, 'Bolas e Redes', 1],
    ['a category with a slash, as a value', { fields: 'category:TV / Vídeo' }, 'TV / Vídeo', 1],
    ['a path with a slash before it, as a value', { fields: 'category:/moda/calcados' }, '/moda/calcados', 24],
    ['a value of two fields', { fields: ['brand:gol', 'category:Esporte'] }, 'gol, Esporte', 1],
  ])('navigates by %s', async (_how, query, name, size) => {
    const reply = await list(NAVIGATES, query);
    expect([reply['name'], reply.size]).toEqual([name, size]);
    expect(reply['searchId']).toMatch(UUID);
    for (const field of ['filters', 'quickFilters', 'suggestions', 'sort', 'banners', 'products']) {
      expect([field, Array.isArray(reply[field])]).toEqual([field, true]);
    }
  });

  test('facets, filters, pages and links of a category stay within it', async () => {
    const query = { category: ['Moda'], resultsPerPage: 5 };
    const whole = await list(NAVIGATES, query);
    const brands = whole.filters.find(({ attribute }) => /brand|marca/i.test(attribute));
    expect(brands?.values.map(({ size }) => size)).toEqual([12, 12]);
    const filtered = await list(NAVIGATES, { ...query, filter: 'brand:Veloz' });
    expect(filtered.size).toBe(12);
    expect(whole.pagination.next).toMatch(/^\/engage\/search\/v3\/navigates\?.*category=Moda.*page=2$/);
    const next = await service.send({ path: whole.pagination.next ?? '', headers: loja.headers });
    expect(next.status).toBe(200);
    expect(ids(next.json as SearchReply)).not.toEqual(ids(whole));
  });

  test('a category is ranked for the shopper, page after page', async () => {
    await loja.buy({ userId: 'ana' }, VELOZ.slice(0, 3));
    const query = { category: ['Moda'], userId: 'ana', resultsPerPage: 8, productFormat: 'onlyIds' };
    const first = await list(NAVIGATES, query);
    expect(first.personalization).toMatchObject({ applied: true, profile: 'user' });
    expect(ids(first).every((id) => id.startsWith('veloz-'))).toBe(true);
    const pages = [first, await list(NAVIGATES, { ...query, page: 2 }), await list(NAVIGATES, { ...query, page: 3 })];
    expect(new Set(pages.flatMap(ids)).size).toBe(24);
    const plain = await list(NAVIGATES, { ...query, personalize: false });
    expect(plain.personalization).toMatchObject({ applied: false, reason: 'personalize_false' });
  });

  test.each<[string, Query]>([
    ['an unknown category', { category: 'Nenhuma' }],
    ['an unknown path of known levels', { category: ['Esporte', 'Tênis'] }],
    ['unknown categories', { multicategory: ['x', 'y'] }],
    ['a value of nothing', { fields: 'brand:Ninguem' }],
    ['ids that were never handed out', { fields: 'd:999001:999002' }],
    ['a category of which the filters leave nothing', { category: 'Moda', filter: 'brand:Luz' }],
  ])('navigates answers 404 for %s', async (_what, query) => {
    const reply = await get(NAVIGATES, query);
    expect(reply.status).toBe(404);
    expect(expectError(reply).error).toBe('not_found');
    expect(reply.json['searchId']).toMatch(UUID);
    expect(reply.json['code']).toBe(404);
  });

  test.each<[string, Query]>([
    ['category', {}],
    ['category', { terms: 'bola' }],
    ['category', { category: 'Moda', fields: 'brand:Gol' }],
    ['fields.0', { fields: 'brand' }],
    ['fields', { fields: 'colour:red' }],
    ['page', { category: 'Moda', page: 'x' }],
  ])('navigates answers 400 about %s to %j', async (path, query) => {
    const reply = await get(NAVIGATES, query);
    expect([reply.status, expectError(reply).paths]).toEqual([400, [path]]);
  });

  test('a hotsite holds its products, whatever casing and accents its name has', async () => {
    const reply = await list(HOTSITES, { name: 'verÃO' });
    expect(reply['hotsite']).toEqual({ title: 'Verão 2026', description: 'Tudo', sortRule: null });
    expect(ids(reply).toSorted()).toEqual(['bola', 'rede', ...VELOZ.slice(0, 3)]);
    expect(ids(await list(HOTSITES, { name: 'Verão', filter: 'brand:Gol', sortBy: 'pid' }))).toEqual(['bola', 'rede']);
    for (const name of ['verao', 'VERAO', 'Verão'.normalize('NFD'), ' verão ']) {
      expect([name, (await list(HOTSITES, { name })).size]).toEqual([name, 5]);
    }
  });

  test('a hotsite by a filter has the order of its rule, unless the shopper chooses another', async () => {
    const reply = await list(HOTSITES, { name: 'luz' });
    expect(reply['hotsite']).toEqual({ title: 'Luz', description: '', sortRule: 'descPrice' });
    expect(reply.size).toBe(6);
    const selected = (sorts: unknown): unknown => (sorts as Json[]).find((one) => one['selected'])?.['name'];
    expect(selected(reply['sort'])).toBe('descPrice');
    expect(selected((await list(HOTSITES, { name: 'luz', sortBy: 'pid' }))['sort'])).toBe('pid');
    expect((await list(HOTSITES, { name: 'vazio' })).size).toBe(0);
  });

  test.each([
    ['folha', 'bola'],
    ['codigo', 'bola'],
    ['barra', 'cabo'],
  ])('a hotsite by a filter finds a category as searches do: %s', async (name, found) => {
    expect(ids(await list(HOTSITES, { name }))).toEqual([found]);
  });

  test.each([
    'TV / Vídeo',
    'tv/video',
    'eletronicos/tv / video',
    '50/TV / Vídeo',
    'TV / Vídeo/cabos',
    '/51/Cabos',
    '52',
  ])(
    'a category whose name has a slash means the same in a filter, on a page, in a hotsite and in a rule: %s',
    async (category) => {
      const all = { sortBy: 'pid', productFormat: 'onlyIds' };
      const rule = { id: 'r', type: 'pin', category, products: ['bola'] };
      await merchandise(loja, 'rules', [rule]);
      const filtered = await loja.search({ filter: `category:${category}`, ...all }, '/engage/search/v3/search');
      expect(ids(filtered)).toEqual(['cabo']);
      for (const query of [{ category }, { multicategory: category }, { fields: `category:${category}` }]) {
        expect([query, ids(await list(NAVIGATES, query))]).toEqual([query, ['bola', 'cabo']]);
      }
      await merchandise(loja, 'rules', [{ ...rule, category: 'TV / Vídeo' }]);
      expect(ids(await list(NAVIGATES, { fields: `category:${category}` }))).toEqual(['bola', 'cabo']);
      expect(ids(await list(NAVIGATES, { category: 'Esporte' }))).toEqual(['bola']);
      expect(ids(await list(NAVIGATES, { category: 'Moda', sortBy: 'relevance' }))).not.toContain('bola');
      await merchandise(loja, 'rules', []);
    },
  );

  test('a category is found by its id and its name, however many others there are', async () => {
    const many = await service.store('cheia');
    const numbers = Array.from({ length: 260 }, (_, number) => number);
    const inAisle = (number: number): Json =>
      aProduct({
        id: `p-${number}`,
        name: `Coisa ${number}`,
        categories: [
          { id: 'tudo', name: 'Tudo', parents: [] },
          { id: `c-${number}`, name: `Corredor ${number}`, parents: ['tudo'] },
        ],
      });
    // Two in each category but the last one, which is the least frequent.
    await many.putMany(numbers.flatMap((number) => [inAisle(number), { ...inAisle(number), id: `q-${number}` }]));
    await many.put({ ...inAisle(999), id: 'last' });
    for (const query of [{ category: 'c-999' }, { category: 'Corredor 999' }, { multicategory: ['c-999', 'x'] }]) {
      const reply = await many.search(query, NAVIGATES);
      expect([query, reply['name'], ids(reply)]).toEqual([query, 'Corredor 999', ['last']]);
    }
  });

  test('an unknown hotsite is 404 with a searchId, and none 400', async () => {
    const unknown = await get(HOTSITES, { name: 'nada' });
    expect([unknown.status, unknown.json['searchId']]).toEqual([404, expect.stringMatching(UUID)]);
    expectError(unknown);
    const none = await get(HOTSITES, {});
    expect([none.status, expectError(none).paths]).toEqual([400, ['name']]);
    expect(none.json['message']).toMatch(/is required/);
    const long = await get(HOTSITES, { name: 'a'.repeat(600) });
    expect([long.status, long.json['message']]).toEqual([400, expect.stringMatching(/name: may have up to 256/)]);
  });

  test('both are called from pages, by Origin or origin=, and with a slash at the end', async () => {
    const { origin } = loja.keys;
    expect((await list(NAVIGATES, { category: 'Moda' }, { origin })).size).toBe(24);
    expect((await list(`${HOTSITES}/`, { name: 'luz', origin }, {})).size).toBe(6);
    expect((await list(`${NAVIGATES}/`, { CATEGORY: 'Moda', apikey: 'loja', origin }, {})).size).toBe(24);
    expect((await get(NAVIGATES, { category: 'Moda' }, {})).status).toBe(401);
    const explained = await get(NAVIGATES, { category: 'Moda', explain: true }, { origin });
    expect(explained.status).toBe(403);
  });
});
