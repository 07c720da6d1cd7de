import { aProduct } from '../../builders/a-product';
import { aShop, VELOZ } from '../../builders/a-shop';
import { ENGAGE, type Json, SEARCH, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';
import { describeModes } from '../../support/modes';

/** What clients already in the field rely on: the lines of section 11 of the wire contract, by number. */
describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja', { origins: ['.loja.example'] });
    await loja.putMany(aShop());
    await loja.put(
      aProduct({
        id: 42,
        name: 'Camiseta Numérica',
        price: '59.90',
        oldPrice: 89.9,
        installment: { count: 6, price: 9.99 },
        categories: ['Moda > Camisetas'],
        specs: { cor: [{ id: 'azul', label: 'Azul' }] },
        details: { tecido: ['algodão'], measurement: { multiplier: 1.5, unit: 'm2' } },
        skus: [
          {
            sku: 4201,
            specs: { tamanho: 'M', voltagem: ['110V', '220V'] },
            properties: { price: 59.9, status: 'AVAILABLE', stock: '3' },
          },
          { sku: 'cheaper', properties: { price: 49.9 } },
          { sku: 'dearer', properties: { price: 99.9, installment: { count: 3, price: 33.3 } } },
        ],
      }),
    );
  });
  afterAll(() => service.close());

  async function ask(path: string, headers: Record<string, string> = loja.headers): Promise<Json & { size: number }> {
    const reply = await service.send({ path, headers });
    expect([path, reply.status, reply.text.slice(0, 200)]).toEqual([path, 200, expect.anything()]);
    return reply.json as Json & { size: number };
  }

  describe('line 3: replies', () => {
    test.each([
      'tenis',
      'nadaqueexista',
      'tenis&hide=products&hide=filters',
      'tenis&resultsPerPage=0',
      'tenis&page=99',
    ])('for %s have their lists, an integer size, a UUID and the query', async (query) => {
      const reply = await ask(`${ENGAGE}?terms=${query}`);
      for (const list of ['products', 'filters', 'quickFilters', 'suggestions', 'sort', 'banners']) {
        expect([list, Array.isArray(reply[list])]).toEqual([list, true]);
      }
      expect(Number.isInteger(reply.size)).toBe(true);
      expect(reply['searchId']).toMatch(UUID);
      expect((reply['queries'] as Json)['original']).toBe(query.split('&')[0]);
    });
  });

  test('line 4: pagination.last names its page; next and prev are there only when there is one', async () => {
    const links = async (page: number): Promise<Record<string, string>> =>
      (await ask(`${ENGAGE}?terms=tenis&resultsPerPage=10&page=${page}&secretKey=${loja.keys.secretKey}`))[
        'pagination'
      ] as Record<string, string>;
    const [one, two, three] = [await links(1), await links(2), await links(3)];
    for (const { last } of [one, two, three]) expect(last).toContain('page=3');
    expect([Object.keys(one).sort(), Object.keys(two).sort(), Object.keys(three).sort()]).toEqual([
      ['first', 'last', 'next'],
      ['first', 'last', 'next', 'prev'],
      ['first', 'last', 'prev'],
    ]);
    expect(JSON.stringify([one, two, three])).not.toContain(loja.keys.secretKey);
    const single = (await ask(`${ENGAGE}?terms=camiseta`))['pagination'] as Json;
    expect([single['next'], single['prev']]).toEqual([undefined, undefined]);
    expect(single['last']).toContain('page=1');
  });

  describe('line 5: successes and failures', () => {
    test('a success has no code, a failure is an object with a message', async () => {
      expect(await ask(`${ENGAGE}?terms=tenis`)).not.toHaveProperty('code');
      const failure = await service.send({ path: `${ENGAGE}?terms=tenis&page=x`, headers: loja.headers });
      expect(failure.json).toMatchObject({ code: 400, message: expect.any(String) as string });
    });

    test.each<[string, Record<string, string>]>([
      ['no keys', {}],
      ['wrong keys', { 'x-api-key': 'loja', 'x-secret-key': 'wrong' }],
      ['a strange page', { origin: 'https://evil.example' }],
      ['an unknown store', { 'x-api-key': 'nobody', 'x-secret-key': 'x' }],
    ])('%s are a 4xx other than 404', async (_name, headers) => {
      for (const path of [`${ENGAGE}?terms=tenis`, `${SEARCH}?terms=tenis`]) {
        const { status, json } = await service.send({ path, headers });
        expect([400, 401, 403]).toContain(status);
        expect(typeof json['message']).toBe('string');
      }
    });
  });

  describe('line 6: products', () => {
    interface Shown {
      id: unknown;
      price: unknown;
      images: Json;
      details: Json;
      specs: Record<string, unknown>;
      installment: Json;
      skus: { sku: unknown; status?: unknown; specs: Json; properties: Json }[];
    }

    test('have ids as strings, a price as a number, and at least one SKU, in the shapes clients read', async () => {
      const { products } = (await ask(`${ENGAGE}?terms=&pids[]=42&pids[]=veloz-01&pids[]=lamp-01`)) as unknown as {
        products: Shown[];
      };
      expect(products.map(({ id }) => id)).toEqual(['42', 'veloz-01', 'lamp-01']);
      for (const product of products) {
        expect(typeof product.price).toBe('number');
        expect(typeof product.images['default']).toBe('string');
        expect(Array.isArray(product.details)).toBe(false);
        expect(typeof product.details).toBe('object');
        for (const values of Object.values(product.specs)) expect(Array.isArray(values)).toBe(true);
        expect(product.installment).toMatchObject({
          count: expect.any(Number) as number,
          price: expect.any(Number) as number,
        });
        expect(product.skus.length).toBeGreaterThan(0);
        for (const sku of product.skus) {
          expect(typeof sku.sku).toBe('string');
          for (const values of Object.values(sku.specs)) expect(Array.isArray(values)).toBe(true);
          expect(sku).not.toHaveProperty('status');
          expect(sku.properties['status']).toMatch(/^(un)?available$/);
          expect(Number.isInteger(sku.properties['stock'])).toBe(true);
          expect(typeof sku.properties['price']).toBe('number');
          expect(typeof sku.properties['details']).toBe('object');
        }
      }
      const specs = { tamanho: ['M'], voltagem: ['110V', '220V'] };
      expect(products[0]).toMatchObject({
        price: 59.9,
        details: { tecido: ['algodão'], measurement: { multiplier: 1.5, unit: 'm2' } },
        skus: [{ sku: '4201', specs, properties: { stock: 3 } }, { sku: 'cheaper' }, { sku: 'dearer' }],
      });
    });

    test('have SKUs whose installments and old prices fit their own prices', async () => {
      const { products } = (await ask(`${ENGAGE}?pids=42`)) as unknown as { products: Shown[] };
      const shown = (products[0]?.skus ?? []).map(({ properties }) => [
        properties['price'],
        properties['oldPrice'],
        properties['installment'],
      ]);
      expect(shown).toEqual([
        [59.9, 89.9, { count: 6, price: 9.99 }],
        [49.9, 89.9, { count: 1, price: 49.9 }],
        [99.9, undefined, { count: 3, price: 33.3 }],
      ]);
    });
  });

  describe('line 7: filters', () => {
    interface Filter {
      id: number;
      type: string;
      attribute: string;
      values: {
        id: number;
        unityId: number;
        size: number;
        label: string;
        min: { value: unknown };
        max: { value: unknown };
      }[];
    }
    const filters = async (query = ''): Promise<Filter[]> =>
      (await ask(`${ENGAGE}?terms=tenis${query}`))['filters'] as Filter[];

    test('have integers within 32 bits for ids, unique over filters and values', async () => {
      const seen: number[] = [];
      const collect = (value: unknown): void => {
        if (Array.isArray(value)) value.forEach(collect);
        else if (typeof value === 'object' && value !== null) {
          const { id, values, filters: nested } = value as { id?: number; values?: unknown; filters?: unknown };
          if (id !== undefined) seen.push(id);
          collect(values);
          collect(nested);
        }
      };
      collect(await filters());
      expect(seen.length).toBeGreaterThan(4);
      for (const id of seen) expect(Number.isInteger(id) && id > 0 && id < 2 ** 31).toBe(true);
      expect(new Set(seen).size).toBe(seen.length);
    });

    test('continuous ones hold at least one value with min, max and unityId', async () => {
      const continuous = (await filters()).filter(({ type }) => type === 'continuous');
      expect(continuous.length).toBeGreaterThan(0);
      for (const { values } of continuous) {
        expect(values.length).toBeGreaterThan(0);
        for (const { min, max, unityId } of values) {
          expect([typeof min.value, typeof max.value, Number.isInteger(unityId)]).toEqual(['number', 'number', true]);
        }
      }
    });

    test('are applied by d:<filterId>:<valueId>, by d:<valueId>:<valueId>, and by the link they come with', async () => {
      const brand = (await filters()).find(({ attribute }) => attribute === 'Marca');
      const value = brand?.values.find(({ label }) => label === 'Veloz');
      for (const filter of [`d:${brand?.id}:${value?.id}`, `d:${value?.id}:${value?.id}`]) {
        const { size, products } = await ask(`${ENGAGE}?terms=tenis&filter=${filter}`);
        expect(size).toBe(VELOZ.length);
        for (const { id } of products as { id: string }[]) expect(VELOZ).toContain(id);
      }
    });
  });

  test('line 8: clickUrl is relative, and trackingId is not its first parameter', async () => {
    for (const format of ['onlyIds', 'compact', 'complete']) {
      const { products } = await ask(`${ENGAGE}?terms=tenis&productFormat=${format}`);
      for (const { clickUrl } of products as { clickUrl: string }[]) {
        expect(clickUrl).toMatch(/^\/search\/v3\/clicks\?apiKey=loja&.*trackingId=/);
        const id = new URL(clickUrl, 'http://x').searchParams.get('trackingId') ?? '';
        expect(id).toMatch(/^[A-Za-z0-9+/]+=*$/);
        expect(JSON.parse(Buffer.from(id, 'base64').toString())).toEqual(expect.any(Object));
      }
    }
  });
});
