import { type BoostTemplate, durationMs } from './template';

/** Quality: what speaks for a product whoever asks (docs/ranking.md). Every factor is near 1; no data means 1. */

const RATING_SCALE = 5;

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
  /** One per signal of the template, then `quality` where the clamp acted: the product of all is `factor`. */
  factors: Factor[];
  factor: number;
}

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
  const mean = Math.max(0.001, (long * durationMs(trend.short)) / durationMs(trend.long));
  return (mean * (trend.prior + buyers.S)) / (trend.prior + mean);
}

export function qualityFactors(data: QualityData, template: BoostTemplate, now: number): Quality {
  const { trend, rating, freshness, availability, discount } = template.signals;
  const factors: Factor[] = [];
  if (trend)
    factors.push({ name: 'trend', factor: data.trend === null ? 1 : Math.max(0.001, data.trend) ** trend.exponent });
  if (rating) factors.push({ name: 'rating', factor: ratingFactor(data, rating) });
  if (freshness) factors.push({ name: 'freshness', factor: freshnessFactor(data, freshness, now) });
  if (availability) factors.push({ name: 'availability', factor: data.available ? 1 : availability.unavailable });
  if (discount) factors.push({ name: 'discount', factor: discountFactor(data, discount) });
  return clampQuality(factors, template.maxQuality);
}

function clampQuality(factors: Factor[], maxQuality: number): Quality {
  const product = factors.reduce((whole, { factor }) => whole * factor, 1);
  const clamped = Math.min(maxQuality, Math.max(1 / maxQuality, product));
  if (clamped === product) return { factors, factor: product };
  return { factors: [...factors, { name: 'quality_clamp', factor: clamped / product }], factor: clamped };
}

/** Bayesian average: few ratings say little, so they are drawn to the mean. */
function ratingFactor(data: QualityData, rating: { weight: number; mean: number; votes: number }): number {
  if (data.rating === null || data.rating.count <= 0) return 1;
  const { average, count } = data.rating;
  const drawn = (rating.votes * rating.mean + count * average) / (rating.votes + count);
  return Math.max(0.01, 1 + (rating.weight * (drawn - rating.mean)) / RATING_SCALE);
}

function freshnessFactor(data: QualityData, freshness: { weight: number; halfLife: string }, now: number): number {
  if (data.created === null) return 1;
  const age = Math.max(0, now - data.created);
  return 1 + freshness.weight * 2 ** (-age / durationMs(freshness.halfLife));
}

function discountFactor(data: QualityData, discount: { weight: number }): number {
  if (data.oldPrice === null || data.oldPrice <= 0 || data.price >= data.oldPrice) return 1;
  return 1 + discount.weight * (1 - Math.max(0, data.price) / data.oldPrice);
}
