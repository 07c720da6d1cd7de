import { LearningService } from '../../../src/behaviour/learning/learning.service';
import { StoresService } from '../../../src/stores/stores.service';
import { aProduct } from '../../builders/a-product';
import { describeModes } from '../../support/modes';
import { type Json, must, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

/** Two halves of a catalog, in turns, so that nobody's order has them mixed. */
const COUNT = 40;
const inBeach = (number: number): boolean => number % 2 === 0;
const id = (number: number): string => `p${String(number).padStart(2, '0')}`;
const shop = Array.from({ length: COUNT }, (_, number) =>
  aProduct({
    id: id(number),
    name: 'Camisa de linho',
    url: `https://loja.example/p/${number}`,
    brand: inBeach(number) ? `Mar ${number % 4}` : `Campo ${number % 4}`,
    categories: [inBeach(number) ? 'Moda > Praia' : 'Moda > Campo'],
    description: '',
  }),
);
const beach = shop.filter((_, number) => inBeach(number)).map(({ id: own }) => String(own));

describeModes((mode) => {
  describe('a store in its first hour', () => {
    let service: WholeApp;
    let loja: StoreClient;

    beforeAll(async () => {
      service = await startWholeApp(mode, { learnsCatalogs: true });
      loja = await service.store('loja');
      await loja.putMany(shop);
    });
    afterAll(() => service.close());

    const storeId = (): string => service.app.get(StoresService, { strict: false }).byApiKey('loja')?.id ?? '';
    const learning = (): LearningService => service.app.get(LearningService, { strict: false });
    const query = (userId: string) => ({ terms: 'camisa', userId, resultsPerPage: COUNT });
    const order = (userId: string): Promise<string[]> => loja.order(query(userId));
    const opened = async (userId: string, times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        await loja.event('category', { userId, categories: ['Moda', 'Praia'], eventId: `${userId}-${time}` });
        service.clock.advance(1000);
      }
    };
    /** What a shopper's behaviour multiplies each product's score by. */
    const personal = async (userId: string): Promise<Map<string, number>> => {
      const { products } = await loja.search({ ...query(userId), explain: true });
      return new Map(
        products.map(({ id: own, explanation }) => {
          const boosts = (explanation as Json)['boosts'] as { name: string; factor: number }[];
          return [own, boosts.find(({ name }) => name === 'personal')?.factor ?? 1];
        }),
      );
    };
    const moved = async (userId: string): Promise<void> => {
      expect((await order(userId)).slice(0, beach.length).toSorted()).toEqual(beach);
      const factors = await personal(userId);
      expect(factors.get(beach[0]!)! / factors.get(id(1))!).toBeGreaterThan(1.05);
      expect((await loja.search(query(userId))).personalization).toMatchObject({ applied: true, profile: 'user' });
    };

    test('with nothing learned: four views of half of it bring that half first, by more than a twentieth', async () => {
      expect(await learning().model(storeId())).toBeNull();
      expect((await order('nobody')).slice(0, beach.length)).not.toEqual(beach);
      await opened('ana', 4);
      await moved('ana');
    });

    test('with nothing learned: what searches led to does, too', async () => {
      for (const typed of ['linho', 'praia']) {
        const items = beach.slice(0, 10).map((pid) => ({ pid }));
        await loja.event('search', { userId: 'bia', query: typed, items });
      }
      const factors = await personal('bia');
      expect(factors.get(beach[19]!)! / factors.get(id(1))!).toBeGreaterThan(1.02);
    });

    test('with nothing learned: whoever opens the category above both is told nothing apart', async () => {
      await loja.event('category', { userId: 'caio', categories: ['Moda'] });
      const factors = await personal('caio');
      expect(new Set(factors.values()).size).toBe(1);
    });

    test('without an order: it is learned when the feed has been quiet for a while', async () => {
      const learnedOf = async (products: number): Promise<void> => {
        for (let tries = 0; (await learning().model(storeId()))?.products !== products; tries += 1) {
          if (tries === 200) throw new Error(`It was not learned of ${products} products`);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      };
      service.clock.advance(6000);
      await learnedOf(COUNT);
      await moved('ana');
    });

    test('with orders learned: the same', async () => {
      for (let number = 0; number < COUNT; number += 1) {
        // With keys: without them one address speaks for three buyers a day.
        const { apiKey, secretKey } = loja.keys;
        const items = [{ pid: id(number), quantity: 1 }];
        const body = { apiKey, secretKey, userId: `buyer-${number}`, id: `order-${number}`, items };
        must(await loja.send({ method: 'POST', path: '/v7/events/views/transaction', body }), 204);
      }
      await learning().run(storeId(), { force: true });
      await opened('dora', 4);
      await moved('dora');
    });
  });
});
