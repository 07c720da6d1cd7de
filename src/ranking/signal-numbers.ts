/**
 * What an index stores of a product for the signals of quality (`signals.ts`) and for sorting. Apart from them, since threads that only store numbers
 * need not know what a template may say of them.
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
  /** Popularity: `trendValue` where it was learned, else `expectedTrend`. NaN: nothing is known. */
  trend: number;
}

/** `trend`: null where none was learned. */
export function signalData(document: NumberSource, trend: number | null): SignalData {
  const numbers = numberNames.map((name) => [name, storedNumbers[name](document) ?? Number.NaN]);
  return {
    ...(Object.fromEntries(numbers) as Record<StoredNumber, number>),
    available: document.available ?? true,
    trend: trend ?? expectedTrend(document.sold ?? Number.NaN),
  };
}

/**
 * How popular a product is taken to be as long as nothing was learned of it. What the feed says was sold raises it by its logarithm, as it does in
 * `trendValue`; a product that was sold once counts as one of which nothing is said. NaN: nothing is said.
 */
export const expectedTrend = (sold: number): number => Math.max(1, Math.log2(1 + Math.max(0, sold)));

/** What was taken off the old price, from 0 to 1. */
export function discountShare({ price, oldPrice }: Pick<SignalData, 'price' | 'oldPrice'>): number {
  return oldPrice > 0 && price < oldPrice ? 1 - Math.max(0, price) / oldPrice : 0;
}
