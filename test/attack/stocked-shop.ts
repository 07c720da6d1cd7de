import { BenchCatalog } from '../../bench/data/catalog';
import { Chance } from '../../bench/data/chance';
import { searchQuery } from '../../bench/data/queries';
import { aCampaign, ShowcaseShop } from '../support/showcase-shop';
import { must, type StoreClient } from '../support/store-client';
import type { Shop } from './attack';
import { turns } from './attacker';

const AT_ONCE = 500;
const SEARCHES = 300;
/** Shoppers the shop knows. */
export const SHOPPERS = 30;
const VIEWS = 5;
const SPONSORED = 20;
const LONGEST_MS = 60_000;

/** Gives a store products `p0` to `p<size - 1>`, and waits until all are found. */
export async function stock(store: StoreClient, size: number): Promise<void> {
  const catalog = new BenchCatalog(size);
  for (let from = 0; from < size; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, size - from) }, (_, number) => catalog.sent(from + number));
    await store.putMany(some);
  }
  const until = performance.now() + LONGEST_MS;
  while ((await store.search({ resultsPerPage: 0 })).size < size) {
    if (performance.now() > until) throw new Error('The catalog was not indexed');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A shop with products, shoppers it knows and a campaign. */
export async function stockedShop(store: StoreClient, size: number): Promise<Shop> {
  await stock(store, size);
  const catalog = new BenchCatalog(size);
  const chance = new Chance(size);
  const any = () => catalog.product(chance.below(size));
  const searches = Array.from({ length: SEARCHES }, () => `/searchapi/v3/queries?${searchQuery(any(), chance)}`);
  const { apiKey, secretKey } = store.keys;
  await turns(SHOPPERS * VIEWS, 4, (number) =>
    store.event('product', { apiKey, secretKey, userId: `shopper-${number % SHOPPERS}`, pid: any().id }),
  );
  const products = Array.from({ length: SPONSORED }, (_, number) => `p${number}`);
  const showcase = new ShowcaseShop(store);
  await showcase.campaign('ads', aCampaign(products, { budget: 100_000, bid: 0.1 }));
  // The first request after a campaign was named may be told to come again.
  for (let tried = 0; tried < 20; tried += 1) {
    const reply = await store.send({ path: '/v2/showcases', query: { placement: 'home' }, headers: store.headers });
    if (reply.status !== 503) {
      must(reply, 200);
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return { store, products: size, searches };
}
