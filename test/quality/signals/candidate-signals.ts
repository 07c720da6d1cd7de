import { scoresOf } from '../../../src/ranking/tuning/rescored-search';
import { defaultTemplate } from '../../../src/ranking/template/template';
import type { FoundSearch } from '../../../src/ranking/tuning/rescored-search';
import type { Order } from '../data-set';
import type { PastOrders } from './past-orders';

/** What a signal is made of at one task. */
export interface SignalMoment {
  found: FoundSearch;
  query: string;
  at: number;
  userId: string;
  /** What the shopper has put into the cart, none of it among the products of the query. */
  cart: readonly string[];
  past: PastOrders;
  /** Product -> price and the category it is compared in. */
  prices: ReadonlyMap<string, { ln: number; category: string }>;
  /** Category -> mean of ln price. */
  means: ReadonlyMap<string, number>;
}

/** A number for each product of a search; a score is multiplied by 1 + weight × number. */
type SignalValues = (moment: SignalMoment) => number[];

const DAY = 86_400_000;
const TRUST = 5;

/** Bought after this query by anybody, whose share is drawn to that of the whole query. */
const afterTheQuery: SignalValues = ({ found, query, past }) => {
  const counts = past.after.get(query);
  const all = [...(counts?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  const share = 1 / Math.max(1, found.products.length);
  return found.products.map(({ id }) => {
    const count = counts?.get(id) ?? 0;
    return Math.max(0, Math.log((count + TRUST * share) / ((all + TRUST) * share)));
  });
};

/** How far from what a category costs the shopper buys, as a bell: a dear one among cheap ones is as near to another dear one. */
const priceFit: SignalValues = ({ found, userId, past, prices, means }) => {
  let [sum, count] = [0, 0];
  for (const { items } of past.of(userId)) {
    for (const { pid } of items) {
      const price = prices.get(pid);
      if (!price) continue;
      sum += price.ln - (means.get(price.category) ?? price.ln);
      count += 1;
    }
  }
  const taste = sum / Math.max(1, count);
  const trust = count / (count + TRUST);
  return found.products.map(({ id }) => {
    const price = prices.get(id);
    if (!price) return 0;
    const away = price.ln - (means.get(price.category) ?? price.ln) - taste;
    return trust * Math.exp(-0.5 * (away / 0.5) ** 2);
  });
};

/** What is known of a shopper who was here lately counts for more. */
const lately: SignalValues = ({ found, userId, past, at }) => {
  const last = past.of(userId).at(-1)?.at;
  if (last === undefined || !found.known) return found.products.map(() => 0);
  const own = scoresOf(found, defaultTemplate);
  const neutral = scoresOf({ ...found, known: null }, defaultTemplate);
  const fresh = 2 ** (-(at - last) / (30 * DAY));
  return found.products.map((_product, index) => fresh * (1 - neutral[index]! / own[index]!));
};

const MOST_ORDERS = 2000;

/** In orders with what is in the cart now, more often than by chance. */
const complements: SignalValues = ({ found, cart, past }) => {
  const together = new Map<string, number>();
  const sizes = new Map<string, number>();
  for (const pid of cart) {
    const numbers = (past.ordersWith.get(pid) ?? []).slice(-MOST_ORDERS);
    sizes.set(pid, numbers.length);
    for (const number of numbers) {
      for (const other of past.orders[number] ?? []) together.set(other, (together.get(other) ?? 0) + 1);
    }
  }
  const looked = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return found.products.map(({ id }) => {
    const expected = (looked * (past.ordersWith.get(id)?.length ?? 0)) / Math.max(1, past.orders.length);
    return Math.max(0, Math.log(((together.get(id) ?? 0) + TRUST) / (expected + TRUST)));
  });
};

const often = (orders: readonly Order[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { items } of orders) {
    for (const pid of new Set(items.map((item) => item.pid))) counts.set(pid, (counts.get(pid) ?? 0) + 1);
  }
  return counts;
};

/** In how many of their orders the shopper had it, beyond the first. */
const boughtOften: SignalValues = ({ found, userId, past }) => {
  const counts = often(past.of(userId));
  return found.products.map(({ id }) => Math.log(Math.max(1, counts.get(id) ?? 1)));
};

/** Among all orders of the last year's same weeks. */
const season: SignalValues = ({ found, past, at }) => {
  const near = seasonalCounts(past, at);
  return found.products.map(({ id }) => {
    const expected = (past.ordersWith.get(id)?.length ?? 0) * near.share;
    return Math.max(0, Math.log(((near.counts.get(id) ?? 0) + TRUST) / (expected + TRUST)));
  });
};

interface Season {
  counts: Map<string, number>;
  share: number;
}
const seasons = new WeakMap<PastOrders, { day: number; season: Season }>();

/** Made once a day. */
function seasonalCounts(past: PastOrders, at: number): Season {
  const day = Math.floor(at / DAY);
  const known = seasons.get(past);
  if (known?.day === day) return known.season;
  const [from, to] = [at - 372 * DAY, at - 344 * DAY];
  const numbers = past.between(from, to);
  const counts = new Map<string, number>();
  for (const number of numbers)
    for (const pid of past.orders[number] ?? []) counts.set(pid, (counts.get(pid) ?? 0) + 1);
  const made = { counts, share: numbers.length / Math.max(1, past.orders.length) };
  seasons.set(past, { day, season: made });
  return made;
}

/** What a margin would be, where nothing is known of it: from 0 to 1, by the product's id. */
export function drawnMargin(id: string): number {
  let hash = 0x811c9dc5;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}

export const candidateSignals: Readonly<Record<string, SignalValues>> = {
  'bought after the query': afterTheQuery,
  'price fit within the category': priceFit,
  'visited lately': lately,
  'complements of the cart': complements,
  'bought often': boughtOften,
  'last year in these weeks': season,
};
