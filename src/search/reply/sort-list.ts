import { type SortBy, sortNames, sorts } from '../../engine/plan/sorts';
import { type LinkContext, linkTo } from './links';

/** Contract 4.5. Choosing another order starts at page 1. */
export function sortList(context: LinkContext, selected: SortBy): object[] {
  return sortNames.map((name) => ({
    label: sorts[name].label,
    name,
    type: 'sort',
    applyLink: linkTo(context, { sortBy: name, page: undefined }),
    selected: name === selected,
  }));
}
