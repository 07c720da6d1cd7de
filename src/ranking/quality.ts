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

/** New buyers of a product, decayed at the short, the middle and the long half-life. */
export interface Buyers {
  S: number;
  M: number;
  L: number;
}

/**
 * Popularity that follows the shorter memory where there are many buyers and the longer one where there are few: what the long memory
 * expects of the middle one is corrected by it, and what comes of that is expected of the short one (docs/ranking.md, from a study of two shops).
 * `sold`, the feed's unverified count, raises the long memory by its logarithm: it orders a shop without history and is soon outweighed by
 * real buyers.
 */
export function trendValue(
  buyers: Buyers & { sold?: number | null },
  trend: Omit<NonNullable<BoostTemplate['signals']['trend']>, 'exponent'>,
): number {
  const { short, middle, long } = memoriesOf(trend);
  const remembered = buyers.L + Math.log1p(Math.max(0, buyers.sold ?? 0));
  const lately = corrected((remembered * middle) / long, buyers.M, trend.prior);
  return corrected((lately * short) / middle, buyers.S, trend.prior);
}

/** Milliseconds. */
export const memoriesOf = (trend: Record<'short' | 'middle' | 'long', string>) => ({
  short: durationMs(trend.short),
  middle: durationMs(trend.middle),
  long: durationMs(trend.long),
});

/** How many buyers there are to be, `prior` buyers' worth of trust being in what was expected: the mean of a gamma distribution after counting `seen`. */
function corrected(expected: number, seen: number, prior: number): number {
  const mean = Math.max(LEAST_TREND, expected);
  return (mean * (prior + seen)) / (prior + mean);
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
