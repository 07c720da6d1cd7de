import { type Attribute, attributeOf } from './attributes.js';
import type { DiscreteValue, ReplyFilter, SearchResult } from './types.js';

export type Counts = Record<string, number>;
export type Stats = SearchResult<unknown>['facets_stats'];

export interface FacetSource {
  filters: readonly ReplyFilter[];
  separator: string;
}

/** A category that is selected, and how many products the search found with it. */
export interface Selection {
  path: string;
  size: number;
}

/** Counts of each attribute, the most frequent value first, and the range of those with bounds. */
export function facetsOf(
  source: FacetSource,
  attributes: readonly string[],
  selection: Selection | null,
): { facets: Record<string, Counts>; facets_stats: Stats } {
  const facets: Record<string, Counts> = {};
  const stats: Stats = {};
  for (const written of attributes) {
    const attribute = attributeOf(written);
    const filter = source.filters.find(({ name }) => name === attribute.name);
    if (!filter) continue;
    facets[written] = filter.type === 'discrete' ? countsOf(filter.values, attribute, source, selection) : {};
    const [whole] = filter.type === 'continuous' ? filter.values : [];
    if (whole) stats[written] = statsOf(whole.min.value, whole.max.value, whole.size);
  }
  return { facets, facets_stats: stats };
}

/** What is not known exactly is the middle of the range. */
const statsOf = (min: number, max: number, size: number): Stats[string] => {
  const avg = (min + max) / 2;
  return { min, max, avg, sum: avg * size };
};

function countsOf(
  values: readonly DiscreteValue[],
  { name, level }: Attribute,
  { separator }: FacetSource,
  selection: Selection | null,
): Counts {
  if (level !== undefined) return countsAt(values, level, separator, selection);
  const counts: Counts = {};
  for (const { label, size } of name === 'category' ? everyLevel(values) : namedValues(values, name)) {
    counts[label] = (counts[label] ?? 0) + size;
  }
  return counts;
}

/** Its label depends on the language of the store, its id does not. */
const namedValues = (values: readonly DiscreteValue[], name: string): readonly DiscreteValue[] =>
  name === 'availability' ? values.map((value) => ({ ...value, label: value.idO })) : values;

const everyLevel = (values: readonly DiscreteValue[]): DiscreteValue[] =>
  values.flatMap((value) => [value, ...everyLevel(value.filters ?? [])]);

/**
 * A level of the tree by whole paths. The service counts as if no category were selected; where one is, widgets expect of the main request
 * what is on the way to it and below it.
 */
function countsAt(
  values: readonly DiscreteValue[],
  level: number,
  separator: string,
  selection: Selection | null,
): Counts {
  const counts: Counts = {};
  const walk = (below: readonly DiscreteValue[], above: string, depth: number): void => {
    for (const { label, size, filters = [] } of below) {
      const path = above === '' ? label : above + separator + label;
      const isAbove = selection !== null && `${selection.path}${separator}`.startsWith(`${path}${separator}`);
      if (selection && !isAbove && !path.startsWith(`${selection.path}${separator}`)) continue;
      if (depth < level) walk(filters, path, depth + 1);
      else counts[path] = selection && isAbove ? Math.min(size, selection.size) : size;
    }
  };
  walk(values, '', 0);
  return counts;
}

/** Every attribute of a reply, as `facets: ['*']` asks for: categories by the names of their levels. */
export function everyAttribute({ filters }: FacetSource): string[] {
  return filters.flatMap((filter) => {
    if (filter.name !== 'category' || filter.type !== 'discrete') return [filter.name];
    return Array.from({ length: depthOf(filter.values) }, (_, level) => `hierarchicalCategories.lvl${level}`);
  });
}

const depthOf = (values: readonly DiscreteValue[]): number =>
  values.reduce((deepest, { filters = [] }) => Math.max(deepest, 1 + depthOf(filters)), 0);
