import { LearningService } from '../../../src/behaviour/learning/learning.service';
import { PastProfiles } from '../../../src/behaviour/profiles/past-profiles';
import type { ShopperKey } from '../../../src/behaviour/shoppers/shopper';
import {
  CompiledTemplate,
  templateBodySchema,
  templateDocument,
} from '../../../src/ranking/template/template-document';
import type { JoinedSearch } from '../../../src/search/log/logged-search';
import { SearchLog } from '../../../src/search/log/search-log';
import { ndcg } from '../../../src/search/replay/order-scores';
import { PastOrders } from '../../../src/search/replay/past-orders';
import { StoresService } from '../../../src/stores/stores.service';
import { aProduct } from '../../builders/a-product';
import { Dice } from '../../support/dice';
import { embeddedMode } from '../../support/modes';
import { type Json, must, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

/** Five templates, far enough apart that a good judge can tell them from each other. */
const TEMPLATES: Readonly<Record<string, Json>> = {
  whole: { strength: 100 },
  half: { strength: 30 },
  faint: { strength: 8 },
  nobody: { strength: 0 },
  bargains: { strength: 0, signals: { discount: { weight: 2 } } },
};
const BRANDS = ['Veloz', 'Calma', 'Norte', 'Luz', 'Brisa'];
const PRODUCTS_OF_A_BRAND = 12;
const PAGE = 24;
const MINUTE = 60_000;
/** How likely a product that is looked at is clicked: of the brand somebody likes, and of another one. */
const LIKED = 0.6;
const OTHER = 0.06;
/** Discounted products of this shop are those that nobody likes much. */
const DISCOUNTED = 0.4;

export interface SimulatedShop {
  seed: number;
  shoppers: number;
  searches: number;
}

export interface Judged {
  template: string;
  /** nDCG@10 of what shoppers like, known because they are made up. */
  truth: number;
  /** nDCG@10 that the replay worked out of their clicks. */
  replayed: number;
}

interface Somebody {
  key: ShopperKey;
  userId: string;
  brand: string;
}

/** A made-up shop, its clicks biased by place, and what a replay makes of five templates. */
export async function simulateReplay({ seed, shoppers, searches }: SimulatedShop): Promise<Judged[]> {
  const service = await startWholeApp(embeddedMode);
  try {
    const loja = await service.store('loja');
    await loja.putMany(products());
    const dice = new Dice(seed);
    const people = Array.from({ length: shoppers }, (_, index): Somebody => {
      const userId = `shopper-${index}`;
      return { key: `u:${userId}`, userId, brand: dice.of(BRANDS) };
    });
    for (const { userId, brand } of people) {
      await loja.buy(
        { userId },
        [0, 1, 2].map(() => idOf(brand, dice.below(PRODUCTS_OF_A_BRAND))),
      );
    }
    // As a store does every night.
    const { id = '' } = service.app.get(StoresService, { strict: false }).byApiKey('loja') ?? {};
    await service.app.get(LearningService, { strict: false }).run(id, { force: true });
    for (let round = 0; round < searches; round += 1) {
      for (const somebody of people) await searchAndClick(service, loja, { somebody, dice });
    }
    const log = service.app.get<SearchLog>(SearchLog as never, { strict: false });
    await log.flush();
    const judged: Judged[] = [];
    for (const [template, body] of Object.entries(TEMPLATES)) {
      must(await loja.admin({ method: 'PUT', path: `/templates/${template}`, body }), 200);
      judged.push({
        template,
        truth: await trueValue(service, { template: body, people }),
        replayed: await replayedValue(service, loja, template),
      });
    }
    return judged;
  } finally {
    await service.close();
  }
}

/** 1: both order the templates the same way; -1: the other way round. */
export function kendallTau(judged: readonly Judged[]): number {
  let sum = 0;
  judged.forEach((one, index) => {
    for (const other of judged.slice(index + 1)) {
      sum += Math.sign(one.truth - other.truth) * Math.sign(one.replayed - other.replayed);
    }
  });
  return sum / ((judged.length * (judged.length - 1)) / 2);
}

const idOf = (brand: string, number: number): string => `${brand}-${String(number + 1).padStart(2, '0')}`;
const isDiscounted = (product: string): boolean => Number(product.slice(-2)) % 3 === 0;

function products(): Json[] {
  return BRANDS.flatMap((brand) =>
    Array.from({ length: PRODUCTS_OF_A_BRAND }, (_, number) => {
      const id = idOf(brand, number);
      return aProduct({
        id,
        brand,
        name: `Tênis Corrida ${id.slice(-2)}`,
        url: `https://loja.example/${id}`,
        created: '2025-06-01T00:00:00.000Z',
        price: 100,
        oldPrice: isDiscounted(id) ? 180 : 100,
      });
    }),
  );
}

const liking = (brand: string, product: string): number =>
  (product.startsWith(`${brand}-`) ? LIKED : OTHER) * (isDiscounted(product) ? DISCOUNTED : 1);

async function searchAndClick(
  service: WholeApp,
  loja: StoreClient,
  { somebody: { userId, brand }, dice }: { somebody: Somebody; dice: Dice },
): Promise<void> {
  const chance = (): number => dice.below(1_000_000) / 1_000_000;
  service.clock.advance(10 * MINUTE);
  const { products: shown } = await loja.search({ terms: 'tênis', userId, resultsPerPage: PAGE });
  service.clock.advance(1000);
  for (const [index, product] of shown.entries()) {
    if (chance() < 1 / (index + 1) && chance() < liking(brand, product.id)) {
      must(await loja.send({ path: `/engage${String((product as Json)['clickUrl'])}` }), 204);
    }
  }
}

async function replayedValue(service: WholeApp, loja: StoreClient, template: string): Promise<number> {
  const body = { from: '2026-01-01', to: new Date(service.clock.now() + MINUTE).toISOString() };
  const reply = await loja.admin({ method: 'POST', path: `/templates/${template}/replay`, body });
  const { result } = await loja.completed(String(must(reply, 202)['jobId']));
  return (result as { ndcg: { candidate: number } }).ndcg.candidate;
}

async function trueValue(
  service: WholeApp,
  { template, people }: { template: Json; people: readonly Somebody[] },
): Promise<number> {
  const own = <T>(type: object): T => service.app.get<T>(type as never, { strict: false });
  const store = own<StoresService>(StoresService).byApiKey('loja');
  if (!store) throw new Error('The shop is not there');
  const compiled = new CompiledTemplate(templateDocument(templateBodySchema.parse(template)));
  const log = own<SearchLog>(SearchLog);
  const searches: JoinedSearch[] = [];
  for await (const page of log.read({ store: store.id, from: 0, to: service.clock.now() + MINUTE }))
    searches.push(...page);
  let sum = 0;
  for (const { key, brand } of people) {
    const past = await own<PastProfiles>(PastProfiles).of(store, key);
    for (const search of searches.filter(({ shopper }) => shopper === key)) {
      const asked = { template: compiled, moment: past(search.at) };
      const { products: order } = await own<PastOrders>(PastOrders).of(store, search, asked);
      sum += ndcg(order, new Map(order.map((product) => [product, liking(brand, product)])));
    }
  }
  return sum / searches.length;
}
