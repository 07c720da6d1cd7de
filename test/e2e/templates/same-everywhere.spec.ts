import type { Abstract } from '@nestjs/common';
import { PastProfiles } from '../../../src/behaviour/profiles/past-profiles';
import { type AskedSearch, PastOrders } from '../../../src/search/replay/past-orders';
import { Clock } from '../../../src/shared/clock';
import { BoostTemplates } from '../../../src/stores/boost-templates';
import { StoresService } from '../../../src/stores/stores.service';
import { aShop, CALMA, VELOZ } from '../../builders/a-shop';
import { Dice } from '../../support/dice';
import { describeModes } from '../../support/modes';
import { randomTemplate } from '../../support/random-template';
import { type Json, must, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const TEMPLATES = 8;
const SHOWN = 20;
const SEED = 20260115;

interface Ranked {
  id: string;
  score: number;
  boosts: Json[];
}

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja');
    const dice = new Dice(SEED);
    await loja.putMany(
      aShop().map((product) => ({
        ...product,
        description: dice.below(2) === 0 ? 'para correr e descansar' : 'leve',
        oldPrice: 200 + dice.below(200),
        created: new Date(Date.UTC(2025, dice.below(12), 1)).toISOString(),
        status: dice.below(5) === 0 ? 'unavailable' : 'available',
        rating: { average: 1 + dice.below(5), count: dice.below(80) },
        tags: [dice.of(['leve', 'noite', 'chuva'])],
      })),
    );
    await loja.buy({ userId: 'ana' }, VELOZ.slice(0, 3));
    await loja.event('product', { userId: 'bruno', pid: CALMA[4] });
    await loja.event('cart', { userId: 'bruno', items: [{ pid: CALMA[1], quantity: 1 }] });
  });
  afterAll(() => service.close());

  const numbered = Array.from({ length: TEMPLATES }, (_, index) => index);
  /** The order of a search as a replay of this moment has it. */
  const replayed = async (search: AskedSearch, userId: string | undefined): Promise<string[]> => {
    const get = <T>(type: Abstract<T>): T => service.app.get<T>(type, { strict: false });
    const store = get(StoresService).byApiKey('loja')!;
    const shopper = await get(PastProfiles).of(store, userId === undefined ? null : `u:${userId}`);
    const template = get(BoostTemplates).compiled(store.id);
    const { products } = await get(PastOrders).of(store, search, { template, moment: shopper(get(Clock).now()) });
    return products;
  };

  test.each(numbered)('preview, replay, serving, explanation and why say the same of template %i', async (index) => {
    const dice = new Dice(SEED + index);
    const name = `random-${index}`;
    const path = `/templates/${name}`;
    const body = randomTemplate(name, () => dice.below(1_000_000) / 1_000_000);
    must(await loja.admin({ method: 'PUT', path, body }), 200);
    const terms = dice.of(['tênis', 'tênis corrida', 'veloz', 'luminária noite', 'correr']);
    const source = dice.of([undefined, 'app', 'desktop']);
    const users = ['ana', 'bruno'];
    const asked = { terms, users, limit: SHOWN, ...(source === undefined ? {} : { source }) };
    const preview = async () => must(await loja.admin({ method: 'POST', path: `${path}/preview`, body: asked }), 200);
    const previewed = await preview();
    must(await loja.admin({ method: 'POST', path: `${path}/activate`, body: {} }), 200);
    const again = await preview();
    for (const [at, userId] of [undefined, ...users].entries()) {
      const query = { terms, userId, source, resultsPerPage: SHOWN };
      const { products, size, personalization } = await loja.search({ ...query, explain: true });
      const served = products.map(({ id, explanation }) => ({
        id,
        score: Number(explanation?.score),
        boosts: explanation?.['boosts'] as Json[],
      }));
      const shopper = (reply: Json) =>
        (reply['shoppers'] as { personalization: Json; current: Ranked[]; candidate: (Ranked & { move: number })[] }[])[
          at
        ];
      const plain = (list: Ranked[] = []): Ranked[] => list.map(({ id, score, boosts }) => ({ id, score, boosts }));
      expect(plain(shopper(previewed)?.candidate)).toEqual(served);
      expect(plain(shopper(again)?.current)).toEqual(served);
      expect(shopper(again)?.candidate.every(({ move }) => move === 0)).toBe(true);
      expect(shopper(again)?.personalization).toEqual({ current: personalization, candidate: personalization });
      expect(previewed['size']).toBe(size);
      expect(await loja.order({ ...query })).toEqual(served.map(({ id }) => id));
      const search = { query: terms, filters: [], source: source ?? '', salesChannel: null };
      expect((await replayed(search, userId)).slice(0, SHOWN)).toEqual(served.map(({ id }) => id));
      const last = served.at(-1);
      const why = must(
        await loja.admin({ path: '/why', query: { query: terms, userId, source, productId: last?.id } }),
        200,
      );
      expect(why).toMatchObject({ rank: served.length, size, product: last, personalization });
      const { next } = why as {
        next: { above: Ranked; differences: { ratio: number }[]; needed: number | null } | null;
      };
      if (served.length < 2) continue;
      expect(next?.above).toMatchObject(served.at(-2) ?? {});
      const ratio = next?.differences.reduce((all, one) => all * one.ratio, 1) ?? 0;
      expect(ratio).toBeCloseTo((served.at(-2)?.score ?? 0) / (last?.score ?? 1), 6);
    }
  });
});
