import type { StoredNumber } from '../../ranking/signals';

/** The orders a search may ask for, as replies list them (contract 4.5). Products without the number come last, ties go by product id. */
export const sorts = {
  relevance: { label: 'Relevance' },
  pid: { label: 'Product id' },
  ascPrice: { label: 'Lowest price', by: 'price', order: 'asc' },
  descPrice: { label: 'Highest price', by: 'price', order: 'desc' },
  descDate: { label: 'Newest', by: 'created', order: 'desc' },
  ascSold: { label: 'Least sold', by: 'sold', order: 'asc' },
  descSold: { label: 'Best selling', by: 'sold', order: 'desc' },
  ascReview: { label: 'Lowest rated', by: 'ratingAverage', order: 'asc' },
  descReview: { label: 'Best rated', by: 'ratingAverage', order: 'desc' },
  descDiscount: { label: 'Biggest discount', by: 'discount', order: 'desc' },
} as const satisfies Record<string, Sort>;

export type SortBy = keyof typeof sorts;
export const sortNames = Object.keys(sorts) as [SortBy, ...SortBy[]];

interface Sort {
  label: string;
  by?: StoredNumber | 'discount';
  order?: 'asc' | 'desc';
}

/** The declaration of an order, as its general type. */
export const sortOf = (sortBy: SortBy): Sort => sorts[sortBy];
