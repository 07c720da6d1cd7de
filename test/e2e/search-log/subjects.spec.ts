import { JobQueue } from '../../../src/jobs/job-queue';
import { StoresService } from '../../../src/stores/stores.service';
import { aProduct } from '../../builders/a-product';
import { describeModes } from '../../support/modes';
import { type Json, must, type SearchReply, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const DAY = 86_400_000;
const SHOPPERS = ['ana', 'bia', 'caio', 'davi', 'eva'];

/** Nothing in the names says which of them is the thing itself; the phone is sold out. */
const shop = [
  { id: 'phone', name: 'Aparelho Zentric Z15', categories: ['Celulares > Smartphones'], status: 'unavailable' },
  { id: 'poster', name: 'Quadro Zentric Z15', categories: ['Casa > Quadros'] },
  { id: 'case', name: 'Capa para Zentric Z15', categories: ['Celulares > Capas'] },
].map((product) => aProduct({ created: '2025-06-01T00:00:00.000Z', brand: 'Outra', ...product }));

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;
  let stores = 0;

  beforeAll(async () => {
    service = await startWholeApp(mode);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    loja = await service.store(`loja-${(stores += 1)}`, { settings: { timeZone: 'UTC' } });
    await loja.putMany(shop);
  });

  /** Searches and opens a product, by the store's backend or by its page. */
  const choose = async (userId: string, product: string, by: 'keys' | 'origin' = 'keys'): Promise<void> => {
    const headers = by === 'keys' ? loja.headers : { origin: loja.keys.origin };
    const query = { terms: 'Zentric Z15', userId };
    const reply = must(await service.send({ path: '/searchapi/v3/queries', query, headers }), 200) as SearchReply;
    const found = reply.products.find(({ id }) => id === product) as unknown as { clickUrl: string };
    must(await service.send({ path: `/engage${found.clickUrl}`, query: { userId }, headers }), 204);
  };
  const learn = async (): Promise<Json> => {
    const { id = '' } = service.app.get(StoresService).byApiKey(loja.keys.apiKey) ?? {};
    const job = await service.app
      .get(JobQueue)
      .enqueue({ kind: 'search.subjects', store: id, key: 'search.subjects', payload: {} });
    return (await loja.completed(job))['result'] as Json;
  };
  /** Products in their order, each with its factor, and why. */
  const asked = async (terms = 'zentric z15'): Promise<{ order: string[]; about: number[]; chosen: unknown }> => {
    const { products } = await loja.search({ terms, explain: true });
    const boosts = products.map(({ explanation = {} }) => {
      const { boosts: all = [] } = explanation as { boosts?: { factor: number; chosen?: string[] }[] };
      return all[0];
    });
    return {
      order: products.map(({ id }) => id),
      about: boosts.map((boost) => Math.round(100 * (boost?.factor ?? 0)) / 100),
      chosen: boosts[0]?.chosen ?? [],
    };
  };

  test('a query is about what shoppers choose after it, as long as their searches are kept', async () => {
    expect(await asked()).toEqual({ order: ['poster', 'phone', 'case'], about: [1, 1, 0.3], chosen: [] });
    for (const userId of SHOPPERS) await choose(userId, 'phone');
    expect(await learn()).toEqual({ searches: 5, queries: 1, changed: true });
    const learned = { order: ['phone', 'poster', 'case'], about: [1, 0.3, 0.09], chosen: ['smartphon'] };
    expect(await asked()).toEqual(learned);
    expect(await asked('ZENTRIC  z15')).toEqual(learned);
    expect((await asked('z15')).chosen).toEqual([]);
    expect(await learn()).toEqual({ searches: 5, queries: 1, changed: false });

    service.clock.advance(31 * DAY);
    expect(await learn()).toEqual({ searches: 0, queries: 0, changed: true });
    expect((await asked()).order).toEqual(['poster', 'phone', 'case']);
  });

  test('one address decides nothing without store keys, and an erased shopper no longer counts', async () => {
    for (const userId of [...SHOPPERS, 'fabio', 'gil']) await choose(userId, 'case', 'origin');
    expect(await learn()).toMatchObject({ queries: 0 });
    for (const userId of SHOPPERS) await choose(userId, 'phone');
    expect(await learn()).toMatchObject({ queries: 1 });
    expect((await asked()).order[0]).toBe('phone');
    await loja.erase('ana');
    await loja.erase('bia');
    await loja.erase('caio');
    expect(await learn()).toMatchObject({ queries: 0, changed: true });
    expect((await asked()).order[0]).toBe('poster');
  });
});
