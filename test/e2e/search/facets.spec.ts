import { aProduct } from '../../builders/a-product';
import { describeModes } from '../../support/modes';
import { ENGAGE, type Json, must, type Query, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

interface Value {
  id: number;
  idO: string;
  label: string;
  size: number;
  applyLink: string;
  selected?: true;
  filters?: Value[];
  min: { value: number };
  max: { value: number };
  unN: string;
}
interface Filter {
  id: number;
  attribute: string;
  type: string;
  values: Value[];
}

const running = [
  { id: '10', name: 'Calçados', parents: [] },
  { id: '11', name: 'Corrida', parents: ['10'] },
];
const lamps = [
  { id: '20', name: 'Casa', parents: [] },
  { id: '21', name: 'Luminárias', parents: ['20'] },
];
/** Every one of them is a "produto"; each name but one divides them. */
const products: Json[] = [
  { id: 'a', price: 50.5, brand: 'Veloz', categories: running, specs: { Tamanho: ['40', '41'] }, tags: ['Promoção'] },
  { id: 'b', price: 100, brand: 'Veloz', categories: running, specs: { Tamanho: '41' }, details: { Cor: 'Azul' } },
  { id: 'c', price: 150, brand: 'Calma', categories: running, oldPrice: 200, details: { Cor: ['Verde', 'Azul'] } },
  { id: 'd', price: 320.2, brand: 'Luz', categories: lamps, status: 'unavailable', specs: { Voltagem: '110V' } },
].map((product) => aProduct({ name: 'Produto', url: `https://loja.example/${product.id}`, ...product }));

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja');
    await loja.putMany(products);
  });
  afterAll(() => service.close());

  const ask = async (query: Query, store = loja): Promise<Json & { size: number; filters: Filter[] }> =>
    (await store.search({ terms: 'produto', ...query }, ENGAGE)) as unknown as Json & {
      size: number;
      filters: Filter[];
    };
  const ids = async (query: Query): Promise<string[]> => (await loja.order(query, ENGAGE)).sort();
  const named = (filters: Filter[], attribute: string): Filter => {
    const found = filters.find((filter) => filter.attribute === attribute);
    if (!found) throw new Error(`No ${attribute} among ${filters.map((filter) => filter.attribute).join(', ')}`);
    return found;
  };
  const sizes = ({ values }: Filter): Record<string, number> =>
    Object.fromEntries(values.map(({ label, size }) => [label, size]));

  describe('the filters of a reply', () => {
    test('are those that divide the result, in the language of the store', async () => {
      const { filters } = await ask({});
      expect(filters.map(({ attribute }) => attribute)).toEqual([
        'Categoria',
        'Marca',
        'Preço',
        'Tamanho',
        'Cor',
        'Voltagem',
        'Tag',
        'Disponibilidade',
        'Desconto',
      ]);
      expect(sizes(named(filters, 'Tamanho'))).toEqual({ 40: 1, 41: 2 });
      expect(sizes(named(filters, 'Cor'))).toEqual({ Azul: 2, Verde: 1 });
      expect(sizes(named(filters, 'Disponibilidade'))).toEqual({ Disponível: 3, Indisponível: 1 });
      const one = await ask({ filter: 'brand:Luz', pids: 'd' });
      expect(one.filters.map(({ attribute }) => attribute)).toEqual(['Categoria', 'Marca', 'Preço']);
    });

    test.each([
      ['en', ['Category', 'Brand', 'Price'], 'Lowest price'],
      ['es-MX', ['Categoría', 'Marca', 'Precio'], 'Menor precio'],
      ['fr', ['Category', 'Brand', 'Price'], 'Lowest price'],
    ])('are called in %s as shoppers call them, and so are orders', async (language, attributes, label) => {
      const store = await service.store(`loja-${language}`, { settings: { language } });
      await store.putMany(products);
      const { filters, sort } = await ask({}, store);
      expect(filters.slice(0, 3).map(({ attribute }) => attribute)).toEqual(attributes);
      expect((sort as { name: string; label: string }[]).find(({ name }) => name === 'ascPrice')?.label).toBe(label);
    });

    test('of prices begin with the whole range of the hits, whatever is selected of it', async () => {
      const bounds = ({ min, max, size, selected }: Value): unknown[] => [min.value, max.value, size, selected];
      const all = named((await ask({})).filters, 'Preço');
      expect(bounds(all.values[0] as Value)).toEqual([50, 321, 4, undefined]);
      expect(all.values.length).toBeGreaterThan(2);
      const { filters, size } = await ask({ filter: ['price:60..160', 'price:300..'] });
      expect(size).toBe(3);
      const { values } = named(filters, 'Preço');
      expect(bounds(values[0] as Value)).toEqual([50, 321, 4, undefined]);
      expect(values.filter(({ selected }) => selected).map(bounds)).toEqual([
        [60, 160, 2, true],
        [300, 321, 1, true],
      ]);
      expect(named(filters, 'Desconto').values.map(({ unN }) => unN)).toContain('%');
    });

    test('say what is selected, and take it back by its link', async () => {
      const all = await ask({});
      for (const filter of all.filters) {
        const value = filter.values.at(-1) as Value;
        const chosen = must(await loja.send({ path: value.applyLink, headers: loja.headers }), 200) as typeof all;
        const own = named(chosen.filters, filter.attribute);
        const selected = own.values.filter((one) => one.selected);
        expect([filter.attribute, chosen.size, selected.length]).toEqual([filter.attribute, value.size, 1]);
        // Its own selection hides none of its values.
        expect(own.values.map(({ size }) => size)).toEqual(filter.values.map(({ size }) => size));
        const back = must(await loja.send({ path: selected[0]?.applyLink ?? '', headers: loja.headers }), 200);
        expect(back['size']).toBe(all.size);
      }
    });
  });

  describe('a filter in words', () => {
    test.each<[string | string[], string]>([
      ['brand:veloz', 'ab'],
      ['price:100..150', 'bc'],
      ['price:..100', 'ab'],
      ['tag:promocao', 'a'],
      ['spec.tamanho:41', 'ab'],
      ['spec.Tamanho:40', 'a'],
      ['detail.cor:azul', 'bc'],
      ['availability:unavailable', 'd'],
      ['discount:10..50', 'c'],
      ['discount:0..10', ''],
      [['brand:veloz', 'brand:luz'], 'abd'],
      [['brand:veloz', 'detail.cor:azul'], 'b'],
      ['category:calcados/corrida', 'abc'],
      ['category:Corrida', 'abc'],
      ['category:11', 'abc'],
      ['category:10/11', 'abc'],
      ['category:10/Corrida', 'abc'],
      ['category:casa', 'd'],
      ['category:20', 'd'],
      ['category:casa/corrida', ''],
      ['category:nowhere', ''],
    ])('%j finds "%s"', async (filter, found) => {
      expect((await ids({ filter })).join('')).toBe(found);
    });

    test('finds names and values that hold colons', async () => {
      const store = await service.store('pontos');
      const inColours = (id: string, specs: Json, details: Json = {}): Json =>
        aProduct({ id, name: 'Produto', specs, details });
      await store.putMany([
        inColours('a', { 'Cor: principal': 'Azul', Proporção: '16:9' }),
        inColours('b', { 'Cor: principal': 'Verde', Proporção: '4:3' }, { 'Hora: início': '10:30' }),
        inColours('c', { Cor: 'escura:azul' }),
      ]);
      for (const [filter, found] of [
        ['spec.Cor: principal:Azul', 'a'],
        ['spec.cor principal:verde', 'b'],
        ['spec.Cor:escura:azul', 'c'],
        ['spec.Proporção:16:9', 'a'],
        ['detail.Hora: início:10:30', 'b'],
        ['spec.Cor: principal:rosa', ''],
      ] as const) {
        const { products: hits } = await store.search({ filter, sortBy: 'pid', productFormat: 'onlyIds' }, ENGAGE);
        expect([filter, hits.map(({ id }) => id).join('')]).toEqual([filter, found]);
      }
    });

    test('of a category selects the level that it names', async () => {
      const { filters } = await ask({ filter: 'category:Corrida' });
      const level = named(filters, 'Categoria').values.flatMap((top) => top.filters ?? []);
      expect(level.map(({ label, selected }) => [label, selected])).toContainEqual(['Corrida', true]);
    });
  });

  test('the setting says which there are, in which order, how called and how long', async () => {
    const store = await service.store('chosen', {
      settings: {
        facets: [
          { attribute: 'detail.cor', label: 'Tom', order: 'label' },
          { attribute: 'spec.tamanho', values: 1 },
          { attribute: 'availability' },
          { attribute: 'tag' },
          { attribute: 'detail.nothing' },
        ],
      },
    });
    await store.putMany(products);
    const { filters } = await ask({}, store);
    expect(filters.map(({ attribute, values }) => [attribute, values.map(({ label }) => label)])).toEqual([
      ['Tom', ['Azul', 'Verde']],
      ['Tamanho', ['41']],
      ['Disponibilidade', ['Disponível', 'Indisponível']],
      ['Tag', ['Promoção']],
    ]);
    const chosen = await ask({ filter: 'spec.tamanho:40' }, store);
    expect(named(chosen.filters, 'Tamanho').values.map(({ label }) => label)).toEqual(['41', '40']);
    const bad = { settings: { facets: [{ attribute: 'colour' }] } };
    expect((await store.admin({ method: 'PATCH', path: '', body: bad })).json).toMatchObject({
      code: 400,
      details: [{ path: 'settings.facets.0.attribute' }],
    });
    await store.admin({ method: 'PATCH', path: '', body: { settings: { facets: [] } } });
    expect((await ask({}, store)).filters).toEqual([]);
  });
});
