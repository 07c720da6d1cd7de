import { HIGHEST_RATING_SHIFT, LEAST_TREND, LOWEST_RATING_SHIFT, qualityTime } from '../../../../ranking/quality';
import { type BoostTemplate, durationMs } from '../../../../ranking/template';
import { functionScore, type Query, type ScoreFunction } from './function-score';
import type { IndexedDocument } from '../mapping/product-document';

type Signals = BoostTemplate['signals'];

/** Above every trend's logarithm: how the decay from it is a growth. */
const HIGHEST_TREND_LOG = 64;

/** A query's score times the quality of docs/ranking.md. Signals of the form 1 + x are a sum of their own. */
export function withQuality(query: Query, template: BoostTemplate, now: number): Query {
  const { trend, freshness, availability, discount, rating } = template.signals;
  const factors = [
    ...(trend ? trendFunctions(trend.exponent, template.maxQuality) : []),
    ...(availability ? [{ filter: { term: { available: false } }, weight: availability.unavailable }] : []),
  ];
  const sums = [
    ...(freshness && freshness.weight > 0 ? [freshnessFunctions(freshness, qualityTime(now))] : []),
    ...(discount && discount.weight > 0 ? [affine('discount', discount.weight)] : []),
    ...(rating && rating.weight > 0
      ? [affine('ratingRise', rating.weight, 1 + rating.weight * LOWEST_RATING_SHIFT)]
      : []),
  ];
  const inner = factors.length === 0 ? query : functionScore(query, factors, { mode: 'multiply' });
  return sums.reduce((whole, functions) => functionScore(whole, functions, { mode: 'sum' }), inner);
}

/** No document's quality is greater. */
export function mostQuality({ signals, maxQuality }: BoostTemplate): number {
  const { trend, freshness, discount, rating } = signals;
  return (
    (trend ? maxQuality : 1) *
    (1 + (freshness?.weight ?? 0)) *
    (1 + (discount?.weight ?? 0)) *
    (1 + HIGHEST_RATING_SHIFT * (rating?.weight ?? 0))
  );
}

/**
 * `trend^exponent` held within both bounds: an exponential decay over the logarithm, from so far above that it only grows, and
 * level from where it would pass the upper bound.
 */
function trendFunctions(exponent: number, maxQuality: number): ScoreFunction[] {
  if (exponent === 0 || maxQuality === 1) return [];
  const bound = Math.min(HIGHEST_TREND_LOG, Math.log(maxQuality) / exponent);
  const field = {
    origin: HIGHEST_TREND_LOG,
    offset: HIGHEST_TREND_LOG - bound,
    scale: 1,
    decay: Math.exp(-exponent),
  };
  const growth = { exp: { trendLog: field }, weight: Math.exp(exponent * bound) };
  if (Math.log(LEAST_TREND) >= -bound) return [growth];
  return [
    { filter: { range: { trendLog: { gt: -bound } } }, ...growth },
    { filter: { range: { trendLog: { lte: -bound } } }, weight: 1 / maxQuality },
  ];
}

/** `created` may be ahead: such a product is as fresh as one can be. */
function freshnessFunctions(freshness: NonNullable<Signals['freshness']>, now: number): ScoreFunction[] {
  const { weight, halfLife } = freshness;
  const decay = { origin: now, scale: `${durationMs(halfLife)}ms`, decay: 0.5 };
  return [
    { weight: 1 },
    { filter: { range: { created: { lte: now } } }, exp: { created: decay }, weight },
    { filter: { range: { created: { gt: now } } }, weight },
  ];
}

/** `level + factor × field`. */
function affine(field: keyof IndexedDocument, factor: number, level = 1): ScoreFunction[] {
  return [{ weight: level }, { field_value_factor: { field, factor, missing: 0 } }];
}
