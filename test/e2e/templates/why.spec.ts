import { aProduct } from '../../builders/a-product';
import { aShop, VELOZ } from '../../builders/a-shop';
import { SearchEngine } from '../../../src/engine/search-engine';
import { StoresService } from '../../../src/stores/stores.service';
import { startShop } from '../../support/a-started-shop';
import { describeModes } from '../../support/modes';
import { type Json, must, type Query, type StoreClient } from '../../support/store-client';
import type { WholeApp } from '../../support/whole-app';

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    ({ service, loja } = await startShop(mode, [
      aProduct({ id: 'gone', name: 'Tênis Antigo' }),
      aProduct({ id: 'sold-out', name: 'Tênis Esgotado', status: 'unavailable' }),
      aProduct({ id: 'sold-vase', name: 'Vaso Esgotado', categories: ['Casa'], status: 'unavailable' }),
      aProduct({ id: 'no-price', name: 'Tênis Sem Preço', price: undefined }),
      aProduct({ id: 'of-app', name: 'Tênis do App', salesChannel: 'app' }),
    ]));
    await loja.buy({ userId: 'ana' }, VELOZ.slice(0, 4));
    must(await loja.send({ method: 'DELETE', path: '/v7/products/gone', headers: loja.headers }), 204);
  });
  afterAll(() => service.close());

  const why = async (productId: string, query: Query = {}): Promise<Json> =>
    must(await loja.admin({ path: '/why', query: { query: 'tênis corrida', productId, ...query } }), 200);
  const reasonsOf = (reply: Json): string[] => (reply['reasons'] as Json[]).map(({ reason }) => String(reason));
  const reasons = async (productId: string, query?: Query): Promise<string[]> => reasonsOf(await why(productId, query));

  test('a product on the page: its rank, its score and what differs from the one above it', async () => {
    const order = await loja.order({ terms: 'tênis corrida', userId: 'ana' });
    const first = await why(order[0] ?? '', { userId: 'ana' });
    expect(first).toMatchObject({ rank: 1, page: 1, reasons: [{ reason: 'shown' }], next: null, firstPage: null });
    const at = order.findIndex((id) => id.startsWith('calma'));
    const reply = await why(order[at] ?? '', { userId: 'ana' });
    expect(reply).toMatchObject({ rank: at + 1, page: 1, userId: 'ana', template: 'default' });
    expect(reply['next']).toMatchObject({
      above: { id: order[at - 1], rank: at },
      // Among others, where orders were learned of meanwhile.
      differences: expect.arrayContaining([
        expect.objectContaining({
          name: 'personal',
          parts: expect.arrayContaining([expect.objectContaining({ own: 0 })]),
        }),
      ]),
    });
    const { needed, differences } = reply['next'] as { needed: number; differences: Json[] };
    expect(differences.map(({ name }) => name).filter((name) => name !== 'trend')).toEqual(['personal']);
    expect(needed).toBeGreaterThan(1);
  });

  test('below the page: also what differs from the last product of the first page', async () => {
    const order = await loja.order({ terms: 'tênis corrida', userId: 'ana' });
    const reply = await why(order[20] ?? '', { userId: 'ana', resultsPerPage: 8 });
    expect(reply).toMatchObject({ rank: 21, page: 3, firstPage: { above: { id: order[7], rank: 8 } } });
    expect(reasonsOf(reply)).toEqual(['below_page']);
  });

  test('with a template that does not serve yet, its place and its score', async () => {
    const flat = { strength: 0 };
    must(await loja.admin({ method: 'PUT', path: '/templates/flat', body: flat }), 200);
    const [first = ''] = await loja.order({ terms: 'tênis corrida', personalize: false });
    const as = { userId: 'ana', template: 'flat' };
    expect(await why(first, as)).toMatchObject({
      rank: 1,
      template: 'flat',
      personalization: { reason: 'strength_0' },
    });
    expect(await why(first, { ...as, version: 1 })).toEqual(await why(first, as));
    expect(await why(first, { userId: 'ana' })).toMatchObject({ template: 'default' });
    const unknown: Query[] = [{ template: 'never' }, { template: 'flat', version: 9 }];
    for (const which of unknown) {
      const query = { query: 'tênis', productId: first, ...which };
      expect((await loja.admin({ path: '/why', query })).status).toBe(404);
    }
    const query = { query: 'tênis', productId: first, version: 1 };
    expect((await loja.admin({ path: '/why', query })).text).toContain('is of a template: name it in template');
  });

  test('filtered: which filters it does not pass', async () => {
    const filter = ['brand:Calma', 'category:moda', 'price:0..50', 'price:1000..2000'];
    const reply = await why('veloz-01', { filter });
    expect(reply['reasons']).toEqual([
      expect.objectContaining({ reason: 'filtered', filters: ['brand:Calma', 'price:0..50 or price:1000..2000'] }),
    ]);
    expect(await reasons('calma-01', { filter: 'brand:Calma' })).toEqual(['shown']);
  });

  test('not in the channel, and where it is', async () => {
    const reply = await why('of-app');
    expect(reply['reasons']).toMatchObject([{ reason: 'not_in_channel', channels: ['app'] }]);
    expect(await reasons('of-app', { query: 'tênis', salesChannel: 'app' })).not.toContain('not_in_channel');
  });

  test('unavailable, where the search shows available products alone', async () => {
    expect(await reasons('sold-out', { query: 'tênis', showOnlyAvailable: true })).toEqual(['unavailable']);
    expect(await reasons('sold-out', { query: 'tênis' })).not.toContain('unavailable');
  });

  test('a word that it does not match', async () => {
    const reply = await why('lamp-01', { query: 'luminária corrida' });
    expect(reply).toMatchObject({ rank: expect.any(Number) });
    const none = await why('lamp-01');
    expect(none).toMatchObject({ rank: null, product: null, next: null });
    expect(none['reasons']).toMatchObject([{ reason: 'word_not_matched', words: ['tenis', 'corrida'] }]);
    // It has one of the two, so it stands behind those that have both.
    expect(await why('sold-out')).toMatchObject({ product: { tier: 'some' } });
  });

  test('several reasons at once are all told', async () => {
    const filter = 'brand:Calma';
    expect(await reasons('sold-vase', { filter, showOnlyAvailable: true })).toEqual([
      'unavailable',
      'filtered',
      'word_not_matched',
    ]);
  });

  test('removed, incomplete, never sent', async () => {
    expect(await reasons('gone')).toEqual(['removed']);
    expect(await reasons('nobody')).toEqual(['unknown_product']);
    const lacking = await why('no-price');
    expect(lacking['reasons']).toEqual([{ reason: 'incomplete', message: 'price is missing' }]);
  });

  test('not indexed yet, or not as it is now', async () => {
    const engine = service.app.get(SearchEngine, { strict: false });
    const { id = '' } = service.app.get(StoresService, { strict: false }).byApiKey('loja') ?? {};
    const write = jest.spyOn(engine, 'write').mockResolvedValue();
    try {
      await loja.put(aProduct({ id: 'late', name: 'Tênis Corrida Novo' }));
      expect(await reasons('late')).toEqual(['not_indexed']);
      await loja.put({ ...aShop()[0], name: 'Tênis Veloz Corrida Outro' });
      expect(await reasons('veloz-01')).toEqual(['shown', 'outdated']);
    } finally {
      write.mockRestore();
    }
    expect(id).not.toBe('');
  });

  test('hidden by a rule of the store', async () => {
    const rules = [{ id: 'lamps', query: 'tênis corrida', type: 'hide', products: ['lamp-02', 'veloz-02'] }];
    must(await loja.admin({ method: 'PUT', path: '/rules', body: { rules } }), 200);
    try {
      expect(await reasons('lamp-02')).toEqual(['word_not_matched', 'hidden_by_rule']);
      expect(await reasons('veloz-02')).toEqual(['hidden_by_rule']);
      expect(await reasons('lamp-03')).toEqual(['word_not_matched']);
    } finally {
      must(await loja.admin({ method: 'PUT', path: '/rules', body: { rules: [] } }), 200);
    }
  });

  test('a question without a query or a product is refused', async () => {
    for (const query of [{ query: 'x' }, { productId: 'x' }, { query: 'x', productId: 'x', filter: 'nonsense' }])
      expect((await loja.admin({ path: '/why', query })).status).toBe(400);
  });
});
