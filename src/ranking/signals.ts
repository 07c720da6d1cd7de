import { z } from 'zod';
import { durationMs, durationSchema } from './duration';

/**
 * The signals of quality (docs/ranking.md): what speaks for a product whoever asks. A signal is declared in this file
 * alone: the field of the feed, the number stored of it, its part of a template, and its curve. Templates, both engines
 * and explanations follow from here; an Elasticsearch index also needs the fields in elastic/products.json.
 */

/** The fields of an indexed product that signals and sorting read. */
export interface SignalFields {
  price: number;
  oldPrice: number | null;
  available: boolean;
  /** Epoch ms. */
  created: number;
  /** Pieces sold, as the feed says. */
  sold: number | null;
  rating: { average: number; count: number } | null;
}

/** Copies the signal fields and nothing else. */
export function pickSignalFields({ price, oldPrice, available, created, sold, rating }: SignalFields): SignalFields {
  return { price, oldPrice, available, created, sold, rating };
}

/** Documents stored before a field was added lack it. */
type NumberSource = Partial<SignalFields & { version: number }>;

/** The numbers stored of a document, in stored order. New ones come last: documents stored before them lack them. */
export const storedNumbers = {
  price: ({ price }) => price,
  oldPrice: ({ oldPrice }) => oldPrice,
  created: ({ created }) => created,
  sold: ({ sold }) => sold,
  ratingAverage: ({ rating }) => rating?.average,
  ratingCount: ({ rating }) => rating?.count,
  version: ({ version }) => version,
} satisfies Record<string, (document: NumberSource) => number | null | undefined>;

export type StoredNumber = keyof typeof storedNumbers;
export const numberNames = Object.keys(storedNumbers) as StoredNumber[];

/** What the curves read of a product; NaN: unknown. */
export interface SignalData extends Record<StoredNumber, number> {
  available: boolean;
  /** `trendValue` of the product; NaN where the store has learned nothing yet. */
  trend: number;
}

export function signalData(document: NumberSource, trend: number | null): SignalData {
  const numbers = numberNames.map((name) => [name, storedNumbers[name](document) ?? Number.NaN]);
  return {
    ...(Object.fromEntries(numbers) as Record<StoredNumber, number>),
    available: document.available ?? true,
    trend: trend ?? Number.NaN,
  };
}

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

const signal = <S extends z.ZodType>(settings: S, curve: (settings: z.output<S>) => Curve) => ({ settings, curve });

function linear<const F extends string>(maxWeight: number, value: LinearValue<F>) {
  const settings = z.strictObject({ weight: z.number().min(0).max(maxWeight).default(0.1) });
  return { ...signal(settings, ({ weight }) => ({ kind: 'linear', weight, ...value })), linear: value };
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

/** What was taken off the old price, from 0 to 1. */
export function discountShare({ price, oldPrice }: Pick<SignalData, 'price' | 'oldPrice'>): number {
  return oldPrice > 0 && price < oldPrice ? 1 - Math.max(0, price) / oldPrice : 0;
}

/** By name, in the order in which explanations list them and scores multiply them. */
export const signals = {
  /** New buyers within two memories; `prior` buyers' worth of trust in the long one. */
  trend: signal(
    z.strictObject({
      short: durationSchema.default('14d'),
      long: durationSchema.default('180d'),
      prior: z.number().min(0.1).max(1000).default(3),
      exponent: z.number().min(0).max(2).default(0.1),
    }),
    ({ exponent }) => ({ kind: 'trend', exponent }),
  ),
  /** `weight`: what a full scale above the mean would add. */
  rating: linear(1, {
    field: 'ratingRise',
    lowest: LOWEST_RATING_SHIFT,
    highest: 1 + LOWEST_RATING_SHIFT,
    value: ratingShift,
  }),
  /** `weight`: what a product just created gains. */
  freshness: signal(
    z.strictObject({ weight: z.number().min(0).max(2).default(0.1), halfLife: durationSchema.default('30d') }),
    ({ weight, halfLife }) => ({ kind: 'recency', weight, halfLife: durationMs(halfLife) }),
  ),
  /** What an unavailable product keeps. */
  availability: signal(z.strictObject({ unavailable: z.number().min(0.01).max(1).default(0.5) }), (settings) => ({
    kind: 'availability',
    ...settings,
  })),
  /** `weight`: what a product given away would gain. */
  discount: linear(2, { field: 'discount', lowest: 0, highest: 1, value: discountShare }),
};

type Signals = typeof signals;
export type SignalName = keyof Signals;
const signalNames = Object.keys(signals) as SignalName[];

/** Index fields of linear signals. */
export type LinearField = {
  [N in SignalName]: Signals[N] extends { linear: LinearValue<infer F> } ? F : never;
}[SignalName];
export const linearValues = signalNames.flatMap((name): LinearValue<LinearField>[] => {
  const own = signals[name];
  return 'linear' in own ? [own.linear] : [];
});

/** The `signals` of a template. A signal a document leaves out is off; without any `signals` all are on. */
export const signalsSchema = z
  .strictObject(
    Object.fromEntries(signalNames.map((name) => [name, signals[name].settings.optional()])) as {
      [N in SignalName]: z.ZodOptional<Signals[N]['settings']>;
    },
  )
  .prefault(Object.fromEntries(signalNames.map((name) => [name, {}])));

/** The curves a template has switched on. */
export function activeCurves(settings: z.output<typeof signalsSchema>): { name: SignalName; curve: Curve }[] {
  return signalNames.flatMap((name) => {
    const own = settings[name];
    return own ? [{ name, curve: signals[name].curve(own as never) }] : [];
  });
}
