import type { StoredNumber } from '../../ranking/signal-numbers';

/** The orders a search may ask for, as replies list them (contract 4.5). Products without the number come last, ties go by product id. */
export const sorts = {
  relevance: {},
  pid: {},
  ascPrice: { by: 'price', order: 'asc' },
  descPrice: { by: 'price', order: 'desc' },
  descDate: { by: 'created', order: 'desc' },
  ascSold: { by: 'sold', order: 'asc' },
  descSold: { by: 'sold', order: 'desc' },
  ascReview: { by: 'ratingAverage', order: 'asc' },
  descReview: { by: 'ratingAverage', order: 'desc' },
  descDiscount: { by: 'discount', order: 'desc' },
} as const satisfies Record<string, Sort>;

export type SortBy = keyof typeof sorts;
export const sortNames = Object.keys(sorts) as [SortBy, ...SortBy[]];

interface Sort {
  by?: StoredNumber | 'discount';
  order?: 'asc' | 'desc';
}

/** The declaration of an order, as its general type. */
export const sortOf = (sortBy: SortBy): Sort => sorts[sortBy];
