import { levelsOf } from '../ranking/vectors/category-path';
import {
  type FacetKind,
  familyAsked,
  type FamilyKind,
  type RangeKind,
  rangesFacet,
  splitStored,
  storedAs,
  type ValueKind,
} from './facets';
import { type RangeCounts, wholeRange } from './facet-ranges';
import { quintileRanges } from './quintile-ranges';
import type { PlanFilter } from './plan/query-plan';
import type { Facet, FacetValue } from './search-engine';

/** A facet answers so many values at most, where a plan does not say; selected values are always among them. */
export const MOST_FACET_VALUES = 200;
/** All facets of a family together, where no single one was asked for. */
export const MOST_FAMILY_VALUES = 1000;

/** A value as engines count it: `key` is the stored one. */
export interface CountedValue extends FacetValue {
  /** In a family, the name of its facet as the store wrote it. */
  facet?: string | undefined;
}

export interface FacetRequests {
  /** Asked for by name, or filtered: those are counted apart. */
  kinds: FacetKind[];
  /** Asked for as a whole: their facets but those counted apart. */
  families: FamilyKind[];
}

/** What is counted for a plan. A facet with a selection ignores it, so that it has hits of its own. */
export function facetRequests(asked: readonly FacetKind[], filters: readonly PlanFilter[]): FacetRequests {
  const families = asked.flatMap((kind) => familyAsked(kind) ?? []);
  const filtered = filters.filter(({ kind }) => families.some((family) => kind.startsWith(`${family}.`)));
  const named = asked.filter((kind) => familyAsked(kind) === null);
  return { kinds: [...new Set([...named, ...filtered.map(({ kind }) => kind)])], families: [...new Set(families)] };
}

/** The stored keys that are selected of a facet. */
export function selectedKeys(filters: readonly PlanFilter[], kind: ValueKind): Set<string> {
  const { prefix } = storedAs(kind);
  const keys = filters.flatMap((filter) => (filter.kind === kind && 'keys' in filter ? filter.keys : []));
  return new Set(keys.map((key) => prefix + key));
}

/** The ranges that are selected of a facet. */
export function selectedRanges(filters: readonly PlanFilter[], kind: RangeKind): SelectedRange[] {
  return filters.flatMap((filter) => (filter.kind === kind && 'ranges' in filter ? filter.ranges : []));
}

interface SelectedRange {
  min: number | null;
  max: number | null;
}

interface Ranked<V> {
  value: V;
  size: number;
  /** Levels above. */
  depth: number;
  key: string;
}

const byFrequency = (a: Ranked<unknown>, b: Ranked<unknown>): number =>
  b.size - a.size || a.depth - b.depth || (a.key < b.key ? -1 : 1);

/**
 * The most frequent values, and those that are selected. A level is at least as frequent as those below it, so cutting the tail never leaves a
 * value without its parent.
 */
export function mostFrequent<V extends Pick<CountedValue, 'key' | 'parent' | 'size'>>(
  values: Iterable<V>,
  most: number,
  selected: ReadonlySet<string> = new Set(),
): V[] {
  const chosen: Ranked<V>[] = [];
  const others: Ranked<V>[] = [];
  let worst: Ranked<V> | undefined;
  for (const value of values) {
    const { key, parent, size } = value;
    // Depths are computed once, not at each comparison: splitting keys was a fifth of the work of a search.
    const ranked = { value, size, key, depth: parent === null ? 0 : levelsOf(key).length };
    if (selected.has(key)) chosen.push(ranked);
    if (worst !== undefined && byFrequency(worst, ranked) <= 0) continue;
    others.push(ranked);
    // A facet may have a hundred thousand values: those that can't be among the first are never sorted.
    if (others.length < 2 * most) continue;
    others.sort(byFrequency).length = most;
    worst = others.at(-1);
  }
  const first = others.sort(byFrequency).slice(0, most);
  const known = new Set(first.map(({ key }) => key));
  return [...first, ...chosen.filter(({ key }) => !known.has(key)).sort(byFrequency)].map(({ value }) => value);
}

/** The facet of counted values. `of`: hits that pass every filter but its own. */
export function valuesFacetOf(kind: ValueKind, of: number, counted: readonly CountedValue[]): Facet {
  const { prefix } = storedAs(kind);
  const name = counted[0]?.facet;
  // Field by field: a copy of the rest of each of hundreds of values was a tenth of the work of a search.
  const values = counted.map(({ key, label, parent, idO, size }): FacetValue => {
    return { key: key.slice(prefix.length), label, parent, idO, size };
  });
  return { kind, of, ...(name === undefined ? {} : { name }), values };
}

/** The facet of counted ranges. `selected`: how many hits each selected range holds, in the order of `selectedRanges`. */
export function rangesFacetOf(
  kind: RangeKind,
  of: number,
  { counts, selected }: { counts: RangeCounts; selected: (SelectedRange & { size: number })[] },
): Facet {
  return { kind, of, whole: wholeRange(counts), ranges: quintileRanges(counts, rangesFacet(kind).edges), selected };
}

/** The facets of a family, by kind. */
export function familyFacets(family: FamilyKind, of: number, counted: readonly CountedValue[]): [ValueKind, Facet][] {
  const byKind = new Map<ValueKind, CountedValue[]>();
  for (const value of counted) {
    const { kind } = splitStored(family, value.key);
    const own = byKind.get(kind) ?? [];
    byKind.set(kind, own);
    own.push(value);
  }
  return Array.from(byKind, ([kind, values]) => [kind, valuesFacetOf(kind, of, values)]);
}
