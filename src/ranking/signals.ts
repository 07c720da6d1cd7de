import { durationMs } from './template/duration';
import { discountShare, type SignalData } from './signal-numbers';
import type { SignalSettings } from './template/signal-settings';

/**
 * The signals of quality (docs/ranking.md): what speaks for a product whoever asks. A signal is its curve here, its part of a template
 * (`signal-settings.ts`) and the number stored of it (`signal-numbers.ts`). Both engines and explanations follow from these; an Elasticsearch index
 * also needs the fields in elastic/products.json.
 */

/** A value between two bounds, and the index field that holds it, raised by -`lowest` because fields may not be negative. */
export interface LinearValue<F extends string = string> {
  field: F;
  lowest: number;
  highest: number;
  value(data: SignalData): number;
}

/** How a signal becomes a factor near 1; no data means 1. */
export type Curve =
  /** 1 + weight × value */
  | ({ kind: 'linear'; weight: number } & LinearValue)
  /** 1 + weight × 2^(-age / halfLife) */
  | { kind: 'recency'; weight: number; halfLife: number }
  /** 1 where the product is available, else `unavailable`. */
  | { kind: 'availability'; unavailable: number }
  /** trend^exponent, held within the template's `maxQuality` either way. */
  | { kind: 'trend'; exponent: number };

type CurveOf<N extends SignalName> = (settings: NonNullable<SignalSettings[N]>) => Curve;

function linear<const F extends string>(value: LinearValue<F>) {
  return { curve: ({ weight }: { weight: number }): Curve => ({ kind: 'linear', weight, ...value }), linear: value };
}

const RATING_SCALE = 5;
/** What a product without ratings is taken for, and how many ratings that is worth. Constants, so that an index can hold the drawn average. */
const RATING_PRIOR = { mean: 3.5, votes: 10 };
const LOWEST_RATING_SHIFT = -RATING_PRIOR.mean / RATING_SCALE;

/** Bayesian average: few ratings say little, so they are drawn to the mean. Its distance from the mean, as a share of the scale. */
function ratingShift({ ratingAverage, ratingCount }: SignalData): number {
  if (!(ratingCount > 0)) return 0;
  const { mean, votes } = RATING_PRIOR;
  const average = Math.min(RATING_SCALE, Math.max(0, ratingAverage));
  return (ratingCount * (average - mean)) / ((votes + ratingCount) * RATING_SCALE);
}

/** By name, in the order in which explanations list them and scores multiply them. */
const signals = {
  /** New buyers within three memories; `prior` buyers' worth of trust in what the longer one expects of the shorter. */
  trend: { curve: ({ exponent }) => ({ kind: 'trend', exponent }) },
  /** `weight`: what a full scale above the mean would add. */
  rating: linear({
    field: 'ratingRise',
    lowest: LOWEST_RATING_SHIFT,
    highest: 1 + LOWEST_RATING_SHIFT,
    value: ratingShift,
  }),
  /** `weight`: what a product just created gains. */
  freshness: { curve: ({ weight, halfLife }) => ({ kind: 'recency', weight, halfLife: durationMs(halfLife) }) },
  /** What an unavailable product keeps. */
  availability: { curve: ({ unavailable }) => ({ kind: 'availability', unavailable }) },
  /** `weight`: what a product given away would gain. */
  discount: linear({ field: 'discount', lowest: 0, highest: 1, value: discountShare }),
} satisfies { [N in SignalName]: { curve: CurveOf<N> } };

type Signals = typeof signals;
export type SignalName = keyof SignalSettings;
const signalNames = Object.keys(signals) as SignalName[];

/** Index fields of linear signals. */
export type LinearField = {
  [N in SignalName]: Signals[N] extends { linear: LinearValue<infer F> } ? F : never;
}[SignalName];
export const linearValues = signalNames.flatMap((name): LinearValue<LinearField>[] => {
  const own = signals[name];
  return 'linear' in own ? [own.linear] : [];
});

/** The curves a template has switched on. */
export function activeCurves(settings: SignalSettings): { name: SignalName; curve: Curve }[] {
  return signalNames.flatMap((name) => {
    const own = settings[name];
    return own ? [{ name, curve: signals[name].curve(own as never) }] : [];
  });
}
