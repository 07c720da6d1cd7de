import { aProduct } from '../../builders/a-product';
import { startShop } from '../../support/a-started-shop';
import { describeModes } from '../../support/modes';
import { ENGAGE, type Json, must, type Query, type SearchReply, type StoreClient } from '../../support/store-client';
import type { WholeApp } from '../../support/whole-app';

/** Often enough that whatever is kept of a query, at whichever time it is asked, serves for the last one. */
const TIMES = 5;

const slipper = (id: string, more: Json = {}): Json =>
  aProduct({
    id,
    name: `Sapatilha "Veloz" ${id}`,
    categories: [{ id: 'k', name: 'Calçados', parents: [] }],
    brand: Number(id) % 2 === 0 ? 'Calma & Cia' : 'Veloz <b>',
    price: 100 + Number(id),
    description: 'Com \u2028 e "aspas"',
    ...more,
  });
const slippers = [
  ...Array.from({ length: 12 }, (_, at) => slipper(String(10 + at))),
  slipper('30', {
    skus: ['P', 'G'].map((size) => ({ sku: `30-${size}`, specs: { size }, status: 'available' })),
  }),
];

/** A reply without what names it alone. */
function same({ requestId: _request, searchId: _search, products, ...rest }: SearchReply): Json {
  const own = (products as (Json & { id: string })[]).map(({ clickUrl: _click, ...product }) => product);
  return { ...rest, products: own };
}

/** What is kept of a query, so that a reply need not be made anew, is nothing that anybody sees. */
describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    ({ service, loja } = await startShop(mode, slippers));
  });
  afterAll(() => service.close());

  /** The last of several replies, which are all the same. */
  const asked = async (query: Query, path?: string): Promise<SearchReply> => {
    let last = await loja.search({ terms: 'sapatilha', ...query }, path);
    for (let time = 1; time < TIMES; time++) {
      const next = await loja.search({ terms: 'sapatilha', ...query }, path);
      expect(same(next)).toEqual(same(last));
      last = next;
    }
    return last;
  };
  const sizesOf = ({ filters }: SearchReply): unknown =>
    filters.map(({ attribute, values }) => [attribute, values.map(({ idO, size }) => [idO, size])]);

  test('whoever asks has links of their own', async () => {
    const links = async (query: Query): Promise<string[]> => {
      const { filters, quickFilters } = await asked(query);
      return JSON.stringify([filters, quickFilters]).match(/"applyLink":"[^"]*"/g) ?? [];
    };
    const [nobody, ana, bruno] = [
      await links({}),
      await links({ userId: 'ana' }),
      await links({ userId: 'bru no&é"', page: 2, resultsPerPage: 5 }),
    ];
    expect(nobody.length).toBeGreaterThan(4);
    const [begin, end] = ['"applyLink":"/searchapi/v3/queries?terms=sapatilha', '&filter='];
    expect(ana).toEqual(nobody.map((link) => link.replace(`${begin}${end}`, `${begin}&userId=ana${end}`)));
    expect(bruno).toEqual(
      nobody.map((link) => link.replace(`${begin}${end}`, `${begin}&userId=bru+no%26%C3%A9%22&resultsPerPage=5${end}`)),
    );
    const { filters } = await asked({});
    const [value] = filters.find(({ attribute }) => attribute === 'Marca')?.values ?? [];
    const { applyLink, size } = value as unknown as { applyLink: string; size: number };
    const followed = must(await service.send({ path: applyLink, headers: loja.headers }), 200) as SearchReply;
    expect(followed.size).toBe(size);
    expect(JSON.stringify(followed.filters)).toContain('"selected":true');
  });

  test('a reply has what was asked for, whatever was asked before', async () => {
    const [plain, named, bare] = [
      await asked({}),
      await asked({ filterNames: true }),
      await asked({ hide: 'quickFilters' }),
    ];
    expect(plain.filters.some((filter) => 'name' in filter)).toBe(false);
    expect(named.filters.every((filter) => 'name' in filter)).toBe(true);
    expect([bare['quickFilters'], sizesOf(bare)]).toEqual([[], sizesOf(plain)]);
    expect(plain['quickFilters']).not.toEqual([]);
    const hidden = await asked({ hide: 'filters' });
    expect([hidden.filters, hidden['quickFilters']]).toEqual([[], []]);
  });

  test('a product is shown in the shape asked for, and with the SKU that fits the query', async () => {
    const shape = async (query: Query): Promise<Json> => {
      const { products } = await asked(query, ENGAGE);
      const found = products.find(({ id }) => id === '30');
      if (!found) throw new Error('The product is not there');
      return found as unknown as Json;
    };
    for (let round = 0; round < 2; round++) {
      const whole = await shape({ terms: 'sapatilha p' });
      expect([whole['selectedSku'], whole['description']]).toEqual(['30-P', 'Com \u2028 e "aspas"']);
      expect((await shape({ terms: 'sapatilha g' }))['selectedSku']).toBe('30-G');
      const compact = await shape({ productFormat: 'compact' });
      expect([compact['name'], 'skus' in compact]).toEqual(['Sapatilha "Veloz" 30', false]);
      expect(Object.keys(await shape({ productFormat: 'onlyIds' }))).toEqual(['id', 'clickUrl']);
    }
  });

  test('each reply counts its own clicks', async () => {
    const urls = new Set<unknown>();
    for (let time = 0; time < TIMES; time++) {
      const { products } = await loja.search({ terms: 'sapatilha' });
      for (const { clickUrl } of products as unknown as { clickUrl: string }[]) urls.add(clickUrl);
      const { clickUrl } = products[0] as unknown as { clickUrl: string };
      expect((await service.send({ path: clickUrl })).status).toBe(204);
    }
    expect(urls.size).toBe(TIMES * slippers.length);
  });

  test('a product that is written is shown as it is, and its filters, too', async () => {
    const before = await asked({});
    const tagged = async (known: string): Promise<{ status: number; tag: string }> => {
      const headers = { ...loja.headers, 'if-none-match': known };
      const reply = await service.send({ path: ENGAGE, query: { terms: 'sapatilha', hide: 'filters' }, headers });
      return { status: reply.status, tag: String(reply.headers['etag']) };
    };
    const { tag } = await tagged('"none"');
    expect((await tagged(tag)).status).toBe(304);
    await loja.put(slipper('10', { price: 990.5, brand: 'Nova' }));
    expect((await tagged(tag)).status).toBe(200);
    const after = await asked({});
    expect(after.products.find(({ id }) => id === '10')).toMatchObject({ price: 990.5, brand: 'Nova' });
    expect(
      [JSON.stringify(sizesOf(before)), JSON.stringify(sizesOf(after))].map((text) => text.includes('"nova",1')),
    ).toEqual([false, true]);
    await loja.put(slipper('10'));
    expect(sizesOf(await asked({}))).toEqual(sizesOf(before));
  });

  test('settings of the store count at once', async () => {
    const change = async (settings: Json): Promise<void> => {
      must(await loja.admin({ method: 'PATCH', path: '', body: { settings } }), 200);
    };
    const attributes = async (): Promise<string[]> => (await asked({})).filters.map(({ attribute }) => attribute);
    expect((await attributes()).slice(0, 3)).toEqual(['Categoria', 'Marca', 'Preço']);
    await change({ language: 'en', currency: 'USD' });
    expect((await attributes()).slice(0, 3)).toEqual(['Category', 'Brand', 'Price']);
    expect(JSON.stringify((await asked({})).filters)).toContain('"unity":"USD"');
    await change({ facets: [{ attribute: 'brand', label: 'Make' }] });
    expect(await attributes()).toEqual(['Make']);
  });
});
