import { aProduct } from '../../builders/a-product';
import { describeModes } from '../../support/modes';
import { type Json, SEARCH, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const names: Record<string, string> = {
  lavadora: 'Máquina de Lavar 12 kg',
  cafe: 'Cafeteira Elétrica Inox',
  note: 'Notebook Fino 256GB',
  salto: 'Salto Alto Preto',
  garrafa: 'Garrafa Térmica 1,5L',
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

  test('a word that was begun is completed', async () => {
    const reply = await search('noteb');
    expect(reply['queries']).toMatchObject({ processed: 'notebook', queryType: 'corrected' });
    expect(idsOf(reply)).toEqual(['note']);
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
    expect(reply.suggestions).toMatchObject([{ query: 'cafeteira eletrica' }]);
    expect((await search('cafeteira eletrica')).suggestions).toEqual([]);
  });

  test('measures are found in every spelling', async () => {
    for (const terms of ['garrafa 1.5 L', 'garrafa 1500ml', 'garrafa 1,5 litro']) {
      expect([terms, idsOf(await search(terms))]).toEqual([terms, ['garrafa']]);
    }
    expect(idsOf(await search('notebook 256 gb'))).toEqual(['note']);
  });
});
