import { EventLog, type StoredEvent } from '../../../src/behaviour/events/event-log';
import { StoresService } from '../../../src/stores/stores.service';
import { patient, type Reply } from '../../support/store-client';
import { type Shop, startShop } from './shop';
import { describeModes } from '../../support/modes';

describeModes((mode) => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await startShop('verdicts', mode);
  });
  afterAll(() => shop.close());

  function send(name: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const origin = 'x-api-key' in headers ? {} : { origin: shop.store.keys.origin };
    // Of many at once a slow machine refuses some: they are sent again.
    return patient(shop.whole.send)({
      method: 'POST',
      path: `/v7/events/views/${name}`,
      headers: { ...origin, ...headers },
      body,
    });
  }

  async function logged(userId: string): Promise<StoredEvent[]> {
    const { id } = shop.whole.app.get(StoresService).byApiKey('verdicts')!;
    return shop.whole.app.get(EventLog).read({ store: id, limit: 1000, shopper: `u:${userId}` });
  }

  let users = 0;
  const someone = (): string => `user-${(users += 1)}`;

  describe('what counts', () => {
    const verdicts = async (userId: string) => (await logged(userId)).map(({ verdict }) => verdict);
    const bot = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' };

    test('keeps the events of bots, and does not count them', async () => {
      const userId = someone();
      await send('product', { userId, pid: 'p1' }, bot);
      expect(await verdicts(userId)).toEqual(['bot']);
      expect((await shop.store.vector('users', userId))['weights']).toEqual([]);
    });

    test('takes the HTTP library of a backend for no bot', async () => {
      const userId = someone();
      await send('product', { userId, pid: 'p1' }, { ...shop.store.headers, 'user-agent': 'okhttp/4.9.3' });
      expect(await verdicts(userId)).toEqual(['counted']);
    });

    test('keeps what floods in beyond what a person does, and does not count it', async () => {
      const userId = someone();
      await Promise.all(
        Array.from({ length: 302 }, (_, n) => send('product', { userId, pid: 'p1', eventId: `flood-${n}` })),
      );
      const all = await verdicts(userId);
      expect([all.filter((one) => one === 'counted').length, all.filter((one) => one === 'flood').length]).toEqual([
        300, 2,
      ]);
    });

    test('counts a list as an event for each five of its entries, so that no shopper is more work than that', async () => {
      const userId = someone();
      const items = Array.from({ length: 50 }, (_, n) => ({ pid: `p${n}` }));
      for (let n = 0; n < 31; n += 1) await send('search', { userId, query: 'tênis', items, eventId: `list-${n}` });
      const all = await verdicts(userId);
      expect([all.filter((one) => one === 'counted').length, all.filter((one) => one === 'flood').length]).toEqual([
        30, 1,
      ]);
    });

    test('takes evidence from the first 50 entries of a list, each product once', async () => {
      const userId = someone();
      const many = Array.from({ length: 60 }, (_, n) => ({ pid: `p${n % 36}`, quantity: 1 }));
      const unknown = Array.from({ length: 500 }, (_, n) => ({ pid: `unknown-${n}` }));
      await send('cart', { userId, items: many });
      await send('cart', { userId, items: unknown });
      const [cart, waiting] = await logged(userId);
      expect(cart?.evidence?.items).toHaveLength(36);
      expect(cart?.evidence?.items[0]).toMatchObject({ product: { id: 'p0' }, quantity: 2 });
      expect(cart?.evidence?.items[20]).toMatchObject({ product: { id: 'p20' }, quantity: 1 });
      expect(waiting?.evidence?.items).toEqual([]);
      expect(waiting?.pendingProducts).toEqual(unknown.slice(0, 50).map(({ pid }) => pid));
      // What was sent is kept, all of it.
      expect(waiting?.body['items']).toHaveLength(500);
    });

    test('counts nothing for events that say nothing', async () => {
      const userId = someone();
      await send('home', { userId });
      await send('search', { userId, query: 'tênis' });
      await send('search', { userId, query: 'tênis', items: [{ pid: 'p1' }] });
      expect(await verdicts(userId)).toEqual(['no_evidence', 'no_evidence', 'counted']);
    });

    test('counts a view of a product that arrives later', async () => {
      const userId = someone();
      await send('product', { userId, pid: 'late' });
      expect((await shop.store.vector('users', userId))['weights']).toEqual([]);
      await shop.store.put({ id: 'late', name: 'Atrasado', brand: 'Tardia', categories: ['Moda'] });
      const { weights } = (await shop.store.vector('users', userId)) as { weights: { feature: string }[] };
      expect(weights.map(({ feature }) => feature)).toContain('brand:tardia');
    });

    test('lets nothing of a sensitive category enter a vector', async () => {
      const store = await shop.whole.store('sensitive', { settings: { sensitiveCategories: ['intimo'] } });
      const category = (id: string, name: string, parents: string[] = []) => ({ id, name, parents });
      const categories = [category('saude', 'Saúde'), category('intimo', 'Íntimo', ['saude'])];
      await store.put({ id: 'secret', name: 'Segredo', brand: 'Discreta', categories });
      await store.event('product', { userId: 'eva', pid: 'secret' });
      await store.event('transaction', { userId: 'eva', id: '1', items: [{ pid: 'secret' }] });
      await store.event('category', {
        userId: 'eva',
        categories: [
          { id: 'saude', name: 'Saúde' },
          { id: 'intimo', name: 'Íntimo' },
        ],
      });
      expect((await store.vector('users', 'eva'))['weights']).toEqual([]);
      await store.event('category', { userId: 'eva', categories: [{ id: 'saude', name: 'Saúde' }] });
      expect((await store.vector('users', 'eva'))['weights']).toMatchObject([{ feature: 'category:saude' }]);
    });
  });
});
