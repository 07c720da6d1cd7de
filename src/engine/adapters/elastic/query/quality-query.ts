import { LEAST_TREND, qualityTime } from '../../../../ranking/quality';
import { activeCurves, type Curve } from '../../../../ranking/signals';
import type { BoostTemplate } from '../../../../ranking/template/template';
import { functionScore, type Query, type ScoreFunction } from './function-score';

/** Above every trend's logarithm, so that the decay from it grows with the trend. */
const HIGHEST_TREND_LOG = 64;

/** A query's score times the quality of docs/ranking.md. Signals of the form 1 + x are a sum of their own. */
export function withQuality(query: Query, { signals, maxQuality }: BoostTemplate, now: number): Query {
  const curves = activeCurves(signals).map(({ curve }) => curve);
  const factors = curves.flatMap((curve) => factorFunctions(curve, maxQuality));
  const inner = factors.length === 0 ? query : functionScore(query, factors, { mode: 'multiply' });
  return sumsOf(curves).reduce(
    (whole, curve) => functionScore(whole, sumFunctions(curve, qualityTime(now)), { mode: 'sum' }),
    inner,
  );
}

/** No document's quality is greater. */
export function mostQuality({ signals, maxQuality }: BoostTemplate): number {
  const curves = activeCurves(signals).map(({ curve }) => curve);
  const trend = curves.some(({ kind }) => kind === 'trend') ? maxQuality : 1;
  return sumsOf(curves).reduce((most, curve) => most * (1 + bounds(curve).highest * curve.weight), trend);
}

type Sum = Extract<Curve, { weight: number }>;

const bounds = (curve: Sum): { lowest: number; highest: number } =>
  curve.kind === 'linear' ? curve : { lowest: 0, highest: 1 };

/** Those of the form 1 + x, in the order in which they are nested: floats are rounded at each, so it may not change. */
function sumsOf(curves: readonly Curve[]): Sum[] {
  const sums = curves.filter((curve): curve is Sum => 'weight' in curve && curve.weight > 0);
  return sums.sort((a, b) => bounds(b).lowest - bounds(a).lowest);
}

function factorFunctions(curve: Curve, maxQuality: number): ScoreFunction[] {
  if (curve.kind === 'trend') return trendFunctions(curve.exponent, maxQuality);
  if (curve.kind !== 'availability') return [];
  return [{ filter: { term: { available: false } }, weight: curve.unavailable }];
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

function sumFunctions(curve: Sum, now: number): ScoreFunction[] {
  const { weight } = curve;
  if (curve.kind === 'linear') {
    const { field, lowest } = curve;
    return [{ weight: 1 + weight * lowest }, { field_value_factor: { field, factor: weight, missing: 0 } }];
  }
  const decay = { origin: now, scale: `${curve.halfLife}ms`, decay: 0.5 };
  // `created` may be ahead: such a product is as fresh as one can be.
  return [
    { weight: 1 },
    { filter: { range: { created: { lte: now } } }, exp: { created: decay }, weight },
    { filter: { range: { created: { gt: now } } }, weight },
  ];
}
