/** How far the means of two groups of shoppers are apart, and how sure that is. */

/** What is kept of a group: the sums of one number of each shopper. */
export interface Sample {
  count: number;
  mean: number;
  /** Of the shoppers' numbers; unbiased. */
  variance: number;
}

export type Interval = [low: number, high: number];

export interface Difference {
  /** Of the means: the group less the control. */
  difference: number;
  /** With 95 in 100 the true difference is in it, where results are looked at once, at the end. */
  interval: Interval;
  /** The same, however often they are looked at: in 95 of 100 experiments every interval of every day has the true difference. */
  alwaysValid: Interval;
  /** Always valid too: in at most 5 of 100 experiments without a difference it ever falls below 0.05. */
  pValue: number;
}

const ALPHA = 0.05;
/** The quantile of a normal distribution that leaves 2.5% above it. */
const NORMAL_975 = 1.959963984540054;
/** Below it, nothing is said of a group: the mean of so few is not normal. */
const FEWEST = 30;
/** The number of shoppers at which the always valid interval is as narrow as it can be; it is valid at any number. Who is interleaved is a tenth. */
const NARROWEST_AT = { groups: 10_000, interleaved: 1000 };
const LN_ALPHA = 2 * Math.log(1 / ALPHA);
/** ρ², the variance of the mixture in variances of one shopper: (−2 ln α + ln(−2 ln α + 1)) / t*, equation 14 of Waudby-Smith et al. */
const mixtureAt = (narrowest: number): number => (LN_ALPHA + Math.log(LN_ALPHA + 1)) / narrowest;

export function sampleOf(numbers: Iterable<number>): Sample {
  let [count, mean, squares] = [0, 0, 0];
  // Welford's: sums of squares lose what is small beside what is large.
  for (const number of numbers) {
    count += 1;
    const away = number - mean;
    mean += away / count;
    squares += away * (number - mean);
  }
  return { count, mean, variance: count > 1 ? squares / (count - 1) : 0 };
}

/**
 * Welch's interval for the difference of two means, by the normal distribution; and an always valid one, of the mixture sequential probability
 * ratio test with a normal mixture (Johari, Koomen, Pekelis, Walsh, "Always Valid Inference: Continuous Monitoring of A/B Tests", Operations
 * Research 2022), which is the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, "Time-uniform central limit theory
 * and asymptotic confidence sequences", Annals of Statistics 2024:
 *
 *   V = s₁²/n₁ + s₂²/n₂,  τ² = ρ²·s²,  θ ± √( V (V + τ²) / τ² · (2 ln(1/α) + ln((V + τ²)/V)) )
 *
 * with s² the variance of one shopper that V is of, as if both groups were one of n₁ + n₂ shoppers. Null: nothing can be said yet.
 */
export function differenceOf(group: Sample, control: Sample): Difference | null {
  if (Math.min(group.count, control.count) < FEWEST) return null;
  const variance = group.variance / group.count + control.variance / control.count;
  const mixture = mixtureAt(NARROWEST_AT.groups) * variance * (group.count + control.count);
  return around(group.mean - control.mean, { variance, mixture });
}

/** The same of one group's mean, and nothing to compare it with but 0. */
export function differenceFromZero({ count, mean, variance }: Sample): Difference | null {
  if (count < FEWEST) return null;
  return around(mean, { variance: variance / count, mixture: mixtureAt(NARROWEST_AT.interleaved) * variance });
}

/** `variance`: of the difference; `mixture`: τ². */
function around(difference: number, { variance, mixture }: { variance: number; mixture: number }): Difference | null {
  if (variance === 0) return null;
  const widening = Math.log1p(mixture / variance);
  const within = (half: number): Interval => [difference - half, difference + half];
  const likelihood = (mixture * difference ** 2) / (2 * variance * (variance + mixture)) - widening / 2;
  return {
    difference,
    interval: within(NORMAL_975 * Math.sqrt(variance)),
    alwaysValid: within(Math.sqrt(((variance * (variance + mixture)) / mixture) * (LN_ALPHA + widening))),
    pValue: Math.min(1, Math.exp(-likelihood)),
  };
}

/** Whether the always valid interval leaves no doubt that there is a difference. */
export const isDifferent = ({ alwaysValid: [low, high] }: Difference): boolean => low > 0 || high < 0;
