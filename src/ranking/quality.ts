import { type BoostTemplate, durationMs } from './template';

/** Quality: what speaks for a product whoever asks (docs/ranking.md). Every factor is near 1; no data means 1. */

const RATING_SCALE = 5;
/** What a product without ratings is taken for, and how many ratings that is worth. Constants, so that an index can hold the drawn average. */
const RATING_PRIOR = { mean: 3.5, votes: 10 };
export const LOWEST_RATING_SHIFT = -RATING_PRIOR.mean / RATING_SCALE;
export const HIGHEST_RATING_SHIFT = 1 + LOWEST_RATING_SHIFT;
/** Below, a product is as unpopular as one can be. */
export const LEAST_TREND = 0.001;

export interface QualityData {
  /** `trendValue` of the product; null where the store has learned nothing yet. */
  trend: number | null;
  rating: { average: number; count: number } | null;
  /** Epoch ms. */
  created: number | null;
  available: boolean;
  price: number;
  oldPrice: number | null;
}

export interface Factor {
  name: string;
  factor: number;
}

export interface Quality {
  /** One per signal of the template, and `trend_clamp` where it acted: the product of all is `factor`. */
  factors: Factor[];
  factor: number;
}

const HOUR = 3_600_000;

/** Signals that depend on time are read on the hour, so that what was computed can be kept. */
export const qualityTime = (now: number): number => Math.floor(now / HOUR) * HOUR;

type Trend = NonNullable<BoostTemplate['signals']['trend']>;

/**
 * Popularity that follows the short memory where there are many buyers and the long one where there are few:
 * μ = max(0.001, L·short/long), trend = μ·(prior + S)/(prior + μ) (docs/ranking.md, from a study of two shops). `S` and `L` are new
 * buyers decayed at the short and the long half-life. `sold`, the feed's unverified count, raises the long memory by its
 * logarithm: it orders a shop without history and is soon outweighed by real buyers.
 */
export function trendValue(
  buyers: { S: number; L: number; sold?: number | null },
  trend: Omit<Trend, 'exponent'>,
): number {
  const long = buyers.L + Math.log1p(Math.max(0, buyers.sold ?? 0));
  const mean = Math.max(LEAST_TREND, (long * durationMs(trend.short)) / durationMs(trend.long));
  return (mean * (trend.prior + buyers.S)) / (trend.prior + mean);
}

export function qualityFactors(data: QualityData, template: BoostTemplate, now: number): Quality {
  const { trend, rating, freshness, availability, discount } = template.signals;
  const factors: Factor[] = [];
  if (trend) factors.push(...trendFactors(data.trend, trend.exponent, template.maxQuality));
  if (rating) factors.push({ name: 'rating', factor: 1 + rating.weight * ratingShift(data.rating) });
  if (freshness) factors.push({ name: 'freshness', factor: freshnessFactor(data, freshness, now) });
  if (availability) factors.push({ name: 'availability', factor: data.available ? 1 : availability.unavailable });
  if (discount) factors.push({ name: 'discount', factor: 1 + discount.weight * discountShare(data) });
  return { factors, factor: factors.reduce((whole, { factor }) => whole * factor, 1) };
}

/** The only signal without bounds of its own. */
function trendFactors(trend: number | null, exponent: number, maxQuality: number): Factor[] {
  const factor = trend === null ? 1 : Math.max(LEAST_TREND, trend) ** exponent;
  const held = Math.min(maxQuality, Math.max(1 / maxQuality, factor));
  const factors = [{ name: 'trend', factor }];
  return held === factor ? factors : [...factors, { name: 'trend_clamp', factor: held / factor }];
}

/** Bayesian average: few ratings say little, so they are drawn to the mean. Its distance from it, as a share of the scale. */
export function ratingShift(rating: QualityData['rating']): number {
  if (rating === null || rating.count <= 0) return 0;
  const { mean, votes } = RATING_PRIOR;
  const average = Math.min(RATING_SCALE, Math.max(0, rating.average));
  return (rating.count * (average - mean)) / ((votes + rating.count) * RATING_SCALE);
}

function freshnessFactor(data: QualityData, freshness: { weight: number; halfLife: string }, now: number): number {
  if (data.created === null) return 1;
  const age = Math.max(0, now - data.created);
  return 1 + freshness.weight * 2 ** (-age / durationMs(freshness.halfLife));
}

/** What was taken off the old price, from 0 to 1. */
export function discountShare({ price, oldPrice }: Pick<QualityData, 'price' | 'oldPrice'>): number {
  if (oldPrice === null || oldPrice <= 0 || price >= oldPrice) return 0;
  return 1 - Math.max(0, price) / oldPrice;
}
