import type { JudgedSearch } from './judged-search';

/** Places that count. */
export const TOP = 10;
/** How patient a reader the overlap of two orders is for: each place weighs 0.9 of the one above it. */
const PATIENCE = 0.9;

const discount = (rank: number): number => 1 / Math.log2(1 + rank);

/** nDCG of the first ten with linear gains: 1 where what people did stands first, 0 where none of it is there. */
export function ndcg(order: readonly string[], judged: JudgedSearch): number {
  const gain = (gains: readonly number[]): number =>
    gains.slice(0, TOP).reduce((sum, one, index) => sum + one * discount(index + 1), 0);
  const best = gain([...judged.values()].sort((a, b) => b - a));
  return best === 0 ? 0 : gain(order.map((product) => judged.get(product) ?? 0)) / best;
}

/** One by the rank of the first product that something was done with; 0 where there is none. */
export function reciprocalRank(order: readonly string[], judged: JudgedSearch): number {
  const index = order.findIndex((product) => judged.has(product));
  return index < 0 ? 0 : 1 / (index + 1);
}

/**
 * Rank-biased overlap of the first ten, 0 to 1: the share two orders have in common at each depth, the first depths weighing more (Webber,
 * Moffat, Zobel: A Similarity Measure for Indefinite Rankings, 2010; cut off at ten and divided by what equal orders reach).
 */
export function rankBiasedOverlap(one: readonly string[], other: readonly string[]): number {
  const depths = Math.min(TOP, Math.max(one.length, other.length));
  if (depths === 0) return 1;
  const [seen, seenOther] = [new Set<string>(), new Set<string>()];
  let [common, sum, whole] = [0, 0, 0];
  for (let index = 0; index < depths; index += 1) {
    const [a, b] = [one[index], other[index]];
    if (a !== undefined && a === b) common += 1;
    else common += Number(a !== undefined && seenOther.has(a)) + Number(b !== undefined && seen.has(b));
    if (a !== undefined) seen.add(a);
    if (b !== undefined) seenOther.add(b);
    const weight = PATIENCE ** index;
    sum += (weight * common) / Math.max(seen.size, seenOther.size);
    whole += weight;
  }
  return sum / whole;
}
