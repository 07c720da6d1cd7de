import { durationMs } from './template/duration';
import type { SignalData } from './signal-numbers';
import { activeCurves, type Curve } from './signals';
import type { BoostTemplate } from './template/template';

/** Quality: the product of the factors of all signals (docs/ranking.md). */

/** The lowest popularity: products below count as this popular. */
export const LEAST_TREND = 0.001;

export interface Factor {
  name: string;
  factor: number;
}

export interface Quality {
  /** One for each signal of the template, and `trend_clamp` where it acted: the product of all is `factor`. */
  factors: Factor[];
  factor: number;
}

const HOUR = 3_600_000;

/** Signals that depend on time are read on the hour, so that what was computed can be kept. */
export const qualityTime = (now: number): number => Math.floor(now / HOUR) * HOUR;

/**
 * Popularity that follows the short memory where there are many buyers and the long one where there are few:
 * μ = max(0.001, L·short/long), trend = μ·(prior + S)/(prior + μ) (docs/ranking.md, from a study of two shops). `S` and `L` are new
 * buyers decayed at the short and the long half-life. `sold`, the feed's unverified count, raises the long memory by its
 * logarithm: it orders a shop without history and is soon outweighed by real buyers.
 */
export function trendValue(
  buyers: { S: number; L: number; sold?: number | null },
  trend: Omit<NonNullable<BoostTemplate['signals']['trend']>, 'exponent'>,
): number {
  const long = buyers.L + Math.log1p(Math.max(0, buyers.sold ?? 0));
  const mean = Math.max(LEAST_TREND, (long * durationMs(trend.short)) / durationMs(trend.long));
  return (mean * (trend.prior + buyers.S)) / (trend.prior + mean);
}

/** A template's signals at one hour, ready to be applied to many products. */
export type QualityFormula = readonly {
  name: string;
  factor(data: SignalData): number;
  /** The factor is held between this and its inverse; null: its curve is bounded. */
  most: number | null;
}[];

export function qualityFormula({ signals, maxQuality }: BoostTemplate, now: number): QualityFormula {
  const time = qualityTime(now);
  return activeCurves(signals).map(({ name, curve }) => ({
    name,
    factor: factorBy(curve, time),
    most: curve.kind === 'trend' ? maxQuality : null,
  }));
}

function factorBy(curve: Curve, now: number): (data: SignalData) => number {
  switch (curve.kind) {
    case 'linear':
      return (data) => 1 + curve.weight * curve.value(data);
    case 'recency':
      return ({ created }) =>
        Number.isNaN(created) ? 1 : 1 + curve.weight * 2 ** (-Math.max(0, now - created) / curve.halfLife);
    case 'availability':
      return ({ available }) => (available ? 1 : curve.unavailable);
    case 'trend':
      return ({ trend }) => (Number.isNaN(trend) ? 1 : Math.max(LEAST_TREND, trend) ** curve.exponent);
  }
}

/** A product's quality. `factors`: filled with what it is made of, where given. */
export function qualityFactor(formula: QualityFormula, data: SignalData, factors?: Factor[]): number {
  let whole = 1;
  for (const { name, factor, most } of formula) {
    const own = factor(data);
    whole *= own;
    factors?.push({ name, factor: own });
    if (most === null) continue;
    const held = Math.min(most, Math.max(1 / most, own));
    if (held === own) continue;
    whole *= held / own;
    factors?.push({ name: `${name}_clamp`, factor: held / own });
  }
  return whole;
}

export function explainQuality(formula: QualityFormula, data: SignalData): Quality {
  const factors: Factor[] = [];
  return { factor: qualityFactor(formula, data, factors), factors };
}
