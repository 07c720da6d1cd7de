import type { BenchCatalog, BenchProduct } from './catalog';
import { Chance } from './chance';

export interface BenchShopper {
  userId: string;
  /** What they looked at, put into the cart and bought. */
  products: BenchProduct[];
  /** As they go through the import of events. */
  events: Record<string, unknown>[];
}

const FEWEST = 5;
const MOST = 200;
const DAYS = 120;
const DAY = 86_400_000;
/** Of ten events: seven views, two carts, one purchase. */
const VIEWS = 0.7;
const CARTS = 0.9;
/** Of what they touch, the share that belongs to their favourites. */
const TASTE = 0.7;
const FAVOURITES = 6;

/** Shoppers with tastes and histories, as many short ones as long ones on a logarithmic scale, that end at `now`. */
export function shoppers(catalog: BenchCatalog, count: number, now: number): BenchShopper[] {
  const chance = new Chance(count);
  return Array.from({ length: count }, (_, number) => makeShopper(catalog, `shopper-${number}`, { chance, now }));
}

function makeShopper(
  catalog: BenchCatalog,
  userId: string,
  { chance, now }: { chance: Chance; now: number },
): BenchShopper {
  const any = (): BenchProduct => catalog.product(chance.below(catalog.size));
  const favourites = Array.from({ length: FAVOURITES }, any);
  const length = Math.round(FEWEST * (MOST / FEWEST) ** chance.next());
  const products: BenchProduct[] = [];
  const events = Array.from({ length }, (_, index) => {
    const product = chance.next() < TASTE ? chance.of(favourites) : any();
    products.push(product);
    return makeEvent(product, { id: `${userId}-${index}`, userId, timestamp: now - chance.below(DAYS * DAY) }, chance);
  });
  return { userId, products, events };
}

function makeEvent(
  { id: pid, price }: BenchProduct,
  { id, userId, timestamp }: { id: string; userId: string; timestamp: number },
  chance: Chance,
): Record<string, unknown> {
  const shared = { eventId: id, userId, timestamp, source: 'desktop' };
  const kind = chance.next();
  if (kind < VIEWS) return { ...shared, name: 'product', pid };
  const items = [{ pid, price, quantity: 1 }];
  if (kind < CARTS) return { ...shared, name: 'cart', items };
  return { ...shared, name: 'transaction', id: `order-${id}`, items };
}
