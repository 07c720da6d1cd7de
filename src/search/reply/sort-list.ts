import type { SortBy } from '../../engine/plan/query-plan';
import { type LinkContext, linkTo } from './links';

const LABELS: Readonly<Record<SortBy, string>> = {
  relevance: 'Relevance',
  pid: 'Product id',
  ascPrice: 'Lowest price',
  descPrice: 'Highest price',
  descDate: 'Newest',
  ascSold: 'Least sold',
  descSold: 'Best selling',
  ascReview: 'Lowest rated',
  descReview: 'Best rated',
  descDiscount: 'Biggest discount',
};

/** Contract 4.5. Choosing another order starts at page 1. */
export function sortList(context: LinkContext, selected: SortBy): object[] {
  return (Object.entries(LABELS) as [SortBy, string][]).map(([name, label]) => ({
    label,
    name,
    type: 'sort',
    applyLink: linkTo(context, { sortBy: name, page: undefined }),
    selected: name === selected,
  }));
}
