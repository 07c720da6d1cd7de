import { Chance } from './data/chance';

/** The value below which the share lies (nearest rank). Sorts a copy. */
export function percentile(values: readonly number[] | Float64Array, share: number): number {
  return ofSorted(Float64Array.from(values).sort(), share);
}

function ofSorted(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export interface Interval {
  value: number;
  low: number;
  high: number;
}

/**
 * Ratio of the percentiles of two arms measured in pairs, with its 95% interval: whole pairs are drawn again with
 * replacement, so that a slow query is slow in both arms of a resample.
 */
export function percentileRatio(
  a: readonly number[],
  b: readonly number[],
  { share, resamples = 500, seed = 11 }: { share: number; resamples?: number; seed?: number },
): Interval {
  const pairs = a.length;
  const chance = new Chance(seed);
  const [drawnOne, drawnOther] = [new Float64Array(pairs), new Float64Array(pairs)];
  const ratios = Array.from({ length: resamples }, () => {
    for (let place = 0; place < pairs; place++) {
      const drawn = chance.below(pairs);
      drawnOne[place] = a[drawn] ?? 0;
      drawnOther[place] = b[drawn] ?? 0;
    }
    return ofSorted(drawnOne.sort(), share) / ofSorted(drawnOther.sort(), share);
  });
  return {
    value: percentile(a, share) / percentile(b, share),
    low: percentile(ratios, 0.025),
    high: percentile(ratios, 0.975),
  };
}
