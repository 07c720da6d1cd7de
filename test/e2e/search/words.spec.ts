import { aProduct } from '../../builders/a-product';
import { describeModes } from '../../support/modes';
import { type Json, SEARCH, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const names: Record<string, string> = {
  lavadora: 'Máquina de Lavar 12 kg',
  cafe: 'Cafeteira Elétrica Inox',
  portatil: 'Notebook Fino 256GB',
  salto: 'Salto Alto Preto',
  garrafa: 'Garrafa Térmica 1,5L',
  colchao: 'Colchão de Casal 138 x 188',
};

/** Finding what is meant, as a storefront sees it. */
describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja', { origins: ['.loja.example'] });
    await loja.putMany(
      Object.entries(names).map(([id, name]) => aProduct({ id, name, brand: 'Casa', categories: ['Casa'] })),
    );
  });
  afterAll(() => service.close());

  async function search(terms: string, more = ''): Promise<Json & { products: Json[]; suggestions: Json[] }> {
    const path = `${SEARCH}?terms=${encodeURIComponent(terms)}${more}`;
    const reply = await service.send({ path, headers: loja.headers });
    expect([terms, reply.status]).toEqual([terms, 200]);
    return reply.json as Json & { products: Json[]; suggestions: Json[] };
  }
  const idsOf = ({ products }: { products: Json[] }): unknown[] => products.map(({ id }) => id);

  test('a corrected word is shown as the store spells it, and explained', async () => {
    const reply = await search('maqiuna de lavar', '&explain=true');
    expect(reply['queries']).toMatchObject({
      normalized: 'maqiuna de lavar',
      processed: 'máquina de lavar',
      queryType: 'corrected',
    });
    expect(idsOf(reply)).toEqual(['lavadora']);
    const changes = [{ word: 'maqiuna', as: 'maquina', kind: 'correction' }];
    expect(reply.products[0]?.['explanation']).toMatchObject({ tier: 'all', changes });
  });

  test.each([
    ['maquina de lavar', 'máquina de lavar'],
    ['MÁQUINA de lavar', 'máquina de lavar'],
    ['cafeteiras elétricas', 'cafeteiras elétricas'],
    ['garrafa 1,5 litros', 'garrafa 1,5 litros'],
    ['garrafa termica 1.5L', 'garrafa térmica 1.5l'],
    ['colchao 138cmx188cm', 'colchão 138cmx188cm'],
    ['sapatão', 'sapatão'],
  ])('what was searched is shown as the store spells it, or else as it was typed: %s', async (terms, processed) => {
    const { queries } = (await search(terms)) as unknown as { queries: Json };
    expect(queries).toMatchObject({ processed, queryType: 'search' });
    for (const format of ['onlyIds', 'compact']) {
      expect((await search(terms, `&productFormat=${format}`))['queries']).toEqual(queries);
    }
  });

  test('what a product has in another way, and what it lacks, is said of it', async () => {
    const changesOf = async (terms: string): Promise<unknown[]> =>
      (await search(terms, '&explain=true')).products.map((product) => (product['explanation'] as Json)['changes']);
    expect(await changesOf('note book fino')).toEqual([[{ word: 'note book', as: 'notebook', kind: 'compound' }]]);
    expect(await changesOf('cafeteira eletrica capsulas')).toEqual([[{ word: 'capsulas', as: '', kind: 'omission' }]]);
    expect(await changesOf('cafeteira')).toEqual([[]]);
    const typed = { path: '/engage/search/v3/autocompletes?prefix=ntoeb&explain=true', headers: loja.headers };
    const { products } = (await service.send(typed)).json as { products: Json[] };
    expect(products.map(({ explanation }) => (explanation as Json)['changes'])).toEqual([
      [{ word: 'ntoeb', as: 'notebook', kind: 'correction' }],
    ]);
  });

  test('what is suggested finds something, and is no filler word alone', async () => {
    for (const terms of ['para com', 'pera', 'salto vermelho', 'cafeteira gelada', 'marca desconhecida', 'zzzz para']) {
      const { suggestions } = await search(terms);
      for (const { query } of suggestions) {
        expect([terms, query, Number((await search(String(query)))['size']) > 0]).toEqual([terms, query, true]);
        expect(['para', 'com', 'de', 'o']).not.toContain(query);
      }
    }
    // What is in another sales channel alone is suggested there alone.
    await loja.put(aProduct({ id: 'so-clube', name: 'Sandália Rasteira', salesChannel: 'clube' }));
    const here = await search('sandalia vermelha');
    expect([here['size'], here.suggestions]).toEqual([0, []]);
    const there = await search('sandalia vermelha', '&salesChannel=clube');
    expect([there['size'], there.suggestions.map(({ query }) => query)]).toEqual([1, ['sandália']]);
  });

  test('a word that was begun is completed', async () => {
    const reply = await search('noteb');
    expect(reply['queries']).toMatchObject({ processed: 'notebook', queryType: 'corrected' });
    expect(idsOf(reply)).toEqual(['portatil']);
  });

  test('a word that is spelled right is searched as it is; one like it is suggested', async () => {
    const reply = await search('sapato');
    expect(reply).toMatchObject({ size: 0, queries: { processed: 'sapato', queryType: 'search' } });
    expect(reply.suggestions).toMatchObject([{ query: 'salto' }]);
    const link = new URL(String(reply.suggestions[0]?.['link']), 'http://search.example');
    expect(link.searchParams.get('terms')).toBe('salto');
    expect(await search('sapato', '&hide=suggestions')).toMatchObject({ suggestions: [] });
  });

  test('too many words find what has most of what they say, and suggest fewer', async () => {
    const reply = await search('cafeteira elétrica para cápsulas de alumínio com timer digital');
    expect(idsOf(reply)).toEqual(['cafe']);
    expect(reply.suggestions).toMatchObject([{ query: 'cafeteira elétrica' }]);
    expect((await search('cafeteira eletrica')).suggestions).toEqual([]);
  });

  test('measures are found in every spelling', async () => {
    for (const terms of ['garrafa 1.5 L', 'garrafa 1500ml', 'garrafa 1,5 litro']) {
      expect([terms, idsOf(await search(terms))]).toEqual([terms, ['garrafa']]);
    }
    expect(idsOf(await search('notebook 256 gb'))).toEqual(['portatil']);
    for (const terms of ['138cmx188cm', '138x188cm', '138cm x 188cm', '1,38m x 1,88m']) {
      expect([terms, idsOf(await search(terms))]).toEqual([terms, ['colchao']]);
    }
  });
});
