/** Sums over the searches of one shopper: weights, and weighted scores of both orders. */
export interface ShopperSums {
  weight: number;
  current: number;
  candidate: number;
}

/** Self-normalised means of both, what the candidate gains, and where that lies with 95%; null: of fewer than two shoppers. */
export interface ComparedMeans {
  current: number;
  candidate: number;
  difference: number;
  interval: { low: number; high: number } | null;
}

/** Of the normal distribution. */
const TWO_SIDED_95 = 1.96;

/**
 * The difference of two weighted means, shoppers being what was drawn: searches of one shopper resemble each other. The interval is that of
 * a ratio of sums, linearised (Cochran: Sampling Techniques, chapter 6).
 */
export function compareMeans(shoppers: readonly ShopperSums[]): ComparedMeans {
  const total = (of: keyof ShopperSums): number => shoppers.reduce((sum, shopper) => sum + shopper[of], 0);
  const weight = total('weight');
  if (weight === 0) return { current: 0, candidate: 0, difference: 0, interval: null };
  const current = total('current') / weight;
  const candidate = total('candidate') / weight;
  const difference = candidate - current;
  const count = shoppers.length;
  if (count < 2) return { current, candidate, difference, interval: null };
  const squares = shoppers.reduce((sum, one) => sum + (one.candidate - one.current - difference * one.weight) ** 2, 0);
  const margin = (TWO_SIDED_95 * Math.sqrt((count / (count - 1)) * squares)) / weight;
  return { current, candidate, difference, interval: { low: difference - margin, high: difference + margin } };
}
