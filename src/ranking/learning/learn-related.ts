import type { Purchases } from './learn-table';

/** Rules of docs/ranking.md: lower thresholds add noise where data are thin. */
const LEAST_USERS = 3;
const LEAST_RATIO = 20;
const MOST_RELATED = 20;
/** A buyer of everything says little about any two products, and pairs grow with the square: their latest count. */
const MOST_PER_USER = 200;

/**
 * Products that share buyers, by log-likelihood ratio over users (Dunning 1993, "Accurate methods for the statistics of
 * surprise and coincidence"). The weight of q for p is q's part in the list over q's share of the store: how many times
 * its share the buyers of p take it. Time: the sum of squares of users' products; memory: two numbers a product.
 */
export function learnRelated(
  purchases: Purchases,
  shares: Float64Array,
): ([product: number, weight: number][] | undefined)[] {
  const baskets = latestOfEach(purchases);
  const products = shares.length;
  const { start, user, buyers } = byProduct(baskets, products);
  const together = new Int32Array(products);
  const touched: number[] = [];
  const related: ([number, number][] | undefined)[] = [];
  for (let product = 0; product < products; product++) {
    if (buyers(product) < LEAST_USERS) continue;
    for (let at = start[product]!; at < start[product + 1]!; at++) {
      for (const b of baskets[user[at]!]!) if (together[b]!++ === 0) touched.push(b);
    }
    const scored: [number, number][] = [];
    for (const b of touched) {
      const both = together[b]!;
      together[b] = 0;
      if (b === product || both < LEAST_USERS) continue;
      const ratio = logLikelihood({ both, a: buyers(product), b: buyers(b), all: purchases.users });
      if (ratio >= LEAST_RATIO) scored.push([b, ratio]);
    }
    touched.length = 0;
    if (scored.length > 0) related[product] = strongest(scored, shares);
  }
  return related;
}

function strongest(scored: [number, number][], shares: Float64Array): [number, number][] {
  scored.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const kept = scored.slice(0, MOST_RELATED);
  const whole = kept.reduce((sum, [, ratio]) => sum + ratio, 0);
  return kept.map(([product, ratio]) => [product, ratio / whole / shares[product]!]);
}

/** 0 where the two are bought together no more often than by chance. */
export function logLikelihood(users: { both: number; a: number; b: number; all: number }): number {
  const { both, a, b, all } = users;
  if (both * all <= a * b) return 0;
  const part = (count: number, row: number, column: number): number =>
    count > 0 ? count * Math.log((count * all) / (row * column)) : 0;
  return (
    2 *
    (part(both, a, b) +
      part(a - both, a, all - b) +
      part(b - both, all - a, b) +
      part(all - a - b + both, all - a, all - b))
  );
}

function latestOfEach(purchases: Purchases): Int32Array[] {
  const { start, product, last } = purchases;
  return Array.from({ length: purchases.users }, (_, user) => {
    const own = product.subarray(start[user], start[user + 1]);
    if (own.length <= MOST_PER_USER) return own;
    const pairs = Array.from(own, (id, index) => ({ id, last: last[start[user]! + index]! }));
    pairs.sort((a, b) => b.last - a.last || a.id - b.id);
    return Int32Array.from(pairs.slice(0, MOST_PER_USER), (pair) => pair.id);
  });
}

function byProduct(baskets: Int32Array[], products: number) {
  const start = new Int32Array(products + 1);
  for (const basket of baskets) for (const product of basket) start[product + 1]! += 1;
  for (let product = 0; product < products; product++) start[product + 1]! += start[product]!;
  const next = start.slice();
  const user = new Int32Array(start[products]!);
  baskets.forEach((basket, number) => {
    for (const product of basket) user[next[product]!++] = number;
  });
  return { start, user, buyers: (product: number): number => start[product + 1]! - start[product]! };
}
