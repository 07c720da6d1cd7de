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

/** The numbers of a document that no signal reads as they were sent. */
export interface DerivedNumbers {
  version: number;
  /** The popularity that what the feed says was sold leads to expect: it counts until one is learned. Null: the feed says nothing. */
  expectedTrend: number | null;
}

/** Documents stored before a field was added lack it. */
type NumberSource = Partial<SignalFields & DerivedNumbers>;

/** The numbers stored of a document, in stored order. New ones come last: documents stored before them lack them. */
export const storedNumbers = {
  price: ({ price }) => price,
  oldPrice: ({ oldPrice }) => oldPrice,
  created: ({ created }) => created,
  sold: ({ sold }) => sold,
  ratingAverage: ({ rating }) => rating?.average,
  ratingCount: ({ rating }) => rating?.count,
  version: ({ version }) => version,
  expectedTrend: ({ expectedTrend }) => expectedTrend,
} satisfies Record<string, (document: NumberSource) => number | null | undefined>;

export type StoredNumber = keyof typeof storedNumbers;
export const numberNames = Object.keys(storedNumbers) as StoredNumber[];

/** What the curves read of a product; NaN: unknown. */
export interface SignalData extends Record<StoredNumber, number> {
  available: boolean;
  /** `trendValue` of the product: as it was learned, else as it is expected. NaN: nothing is known. */
  trend: number;
}

/** `trend`: null where none was learned. */
export function signalData(document: NumberSource, trend: number | null): SignalData {
  const numbers = numberNames.map((name) => [name, storedNumbers[name](document) ?? Number.NaN]);
  return {
    ...(Object.fromEntries(numbers) as Record<StoredNumber, number>),
    available: document.available ?? true,
    trend: trend ?? document.expectedTrend ?? Number.NaN,
  };
}

/** What was taken off the old price, from 0 to 1. */
export function discountShare({ price, oldPrice }: Pick<SignalData, 'price' | 'oldPrice'>): number {
  return oldPrice > 0 && price < oldPrice ? 1 - Math.max(0, price) / oldPrice : 0;
}
