const MOST_STEPS = 10_000;
const EXACT = 1e-15;

/**
 * The chance that a chi-square of so many degrees of freedom is `x` or more: the regularised upper gamma function Q(freedom/2, x/2), by its
 * series below the mean and its continued fraction (Lentz) above. Press et al., "Numerical Recipes", 6.2.
 */
export function chiSquareTail(x: number, freedom: number): number {
  const [a, half] = [freedom / 2, x / 2];
  if (half <= 0) return 1;
  const scale = Math.exp(a * Math.log(half) - half - lnGammaOfHalves(freedom));
  return half < a + 1 ? 1 - scale * lowerSeries(a, half) : scale * upperFraction(a, half);
}

function lowerSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let step = 1; step < MOST_STEPS && term > sum * EXACT; step += 1) {
    term *= x / (a + step);
    sum += term;
  }
  return sum;
}

function upperFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = Infinity;
  let d = 1 / b;
  let fraction = d;
  for (let step = 1; step < MOST_STEPS; step += 1) {
    const numerator = -step * (step - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < EXACT) break;
  }
  return fraction;
}

/** ln Γ(halves / 2), from Γ(1/2) = √π and Γ(1) = 1. */
function lnGammaOfHalves(halves: number): number {
  let sum = halves % 2 === 0 ? 0 : Math.log(Math.PI) / 2;
  for (let at = halves % 2 === 0 ? 1 : 0.5; at < halves / 2; at += 1) sum += Math.log(at);
  return sum;
}
