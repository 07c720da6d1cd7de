import type { estypes } from '@elastic/elasticsearch';
import {
  everyFacet,
  type FacetKind,
  facets,
  type FamilyKind,
  isRangeKind,
  type RangeKind,
  rangesFacet,
  splitStored,
  storedAs,
  type ValueKind,
} from '../../../facets';
import {
  type CountedValue,
  facetRequests,
  familyFacets,
  MOST_FACET_VALUES,
  MOST_FAMILY_VALUES,
  mostFrequent,
  rangesFacetOf,
  selectedKeys,
  selectedRanges,
  valuesFacetOf,
} from '../../../facet-values';
import type { PlanFilter, QueryPlan } from '../../../plan/query-plan';
import type { EngineResult, Facet } from '../../../search-engine';
import { entriesBegin, mergeEntries, readEntry } from '../mapping/facet-entries';
import type { Query } from './function-score';
import { filterQuery, rangeQuery } from './hit-filters';

type Aggregation = estypes.AggregationsAggregationContainer;
type Aggregations = Record<string, Aggregation>;
export type FacetPlan = Pick<QueryPlan, 'facets' | 'filters' | 'mostValues'>;

export interface FacetOptions {
  /** Many documents are to be counted. */
  many?: boolean;
}

/** Asked for more than is answered: a value with two labels has two entries. */
const SPARE = 2;
/** By count, then by entry: the order of a facet. */
const ORDER = [{ _count: 'desc' as const }, { _key: 'asc' as const }];
/** Of all facets without a selection. Names of the others follow from their slot, since a facet's own name may be any text. */
const HITS = 'hits';
const OWN = 'own';
/** Of an index that stores share, too: numbering all values of the index takes less time than reading the values of many documents. */
const NUMBERED = { execution_hint: 'global_ordinals' as const };
/** Characters of a regular expression that an index takes. */
const LONGEST_REGEXP = 1000;

/** A family or a facet, with the names of its aggregations. */
interface Part {
  kind: FacetKind;
  family: FamilyKind | null;
  /** The aggregation that filters. */
  group: string;
  slot: number;
}

function partsOf({ facets: asked, filters }: FacetPlan): Part[] {
  const { kinds, families } = facetRequests(asked, filters);
  const all = [
    ...families.map((family) => ({ kind: everyFacet(family), family })),
    ...kinds.map((kind) => ({ kind, family: null })),
  ];
  return all.map((part, slot) => {
    const isFiltered = filters.some(({ kind }) => kind === part.kind);
    return { ...part, slot, group: isFiltered ? `${OWN}${slot}` : HITS };
  });
}

/** One aggregation for all facets without a selection, and one for each of the others, over hits that pass every filter but its own. */
export function facetAggregations(
  plan: FacetPlan,
  { many = false }: FacetOptions = {},
): Record<string, { filter: Query; aggs: Aggregations }> {
  const how = many ? NUMBERED : {};
  const groups: Record<string, { filter: Query; aggs: Aggregations }> = {};
  for (const part of partsOf(plan)) {
    const others = plan.filters.filter((filter) => filter.kind !== part.kind).map(filterQuery);
    const filter = others.length === 0 ? { match_all: {} } : { bool: { filter: others } };
    const group = (groups[part.group] ??= { filter, aggs: {} });
    const own = isRangeKind(part.kind) ? ranges(part.kind, plan.filters) : values(part, plan, how);
    for (const [name, aggregation] of Object.entries(own)) group.aggs[`${name}${part.slot}`] = aggregation;
  }
  return groups;
}

function values({ kind, family }: Part, plan: FacetPlan, how: Partial<typeof NUMBERED>): Aggregations {
  if (family !== null) return { entries: familyEntries(family, plan, how) };
  const { stored, prefix } = storedAs(kind as ValueKind);
  const { key, entry } = facets[stored].fields;
  const size = SPARE * (plan.mostValues ?? MOST_FACET_VALUES);
  const only = prefix === '' ? {} : { include: `${literally(entriesBegin(prefix))}.*` };
  const entries = { terms: { field: entry, size, order: ORDER, ...only, ...how } };
  const selected = [...selectedKeys(plan.filters, kind as ValueKind)];
  if (selected.length === 0) return { entries };
  // What is selected is answered however rare it is.
  return { entries, selected: { filter: { terms: { [key]: selected } }, aggs: { entries } } };
}

/** Without the facets that are counted apart, as far as they can be named: they would take the places of others. */
function familyEntries(family: FamilyKind, plan: FacetPlan, how: Partial<typeof NUMBERED>): Aggregation {
  const apart = facetRequests(plan.facets, plan.filters).kinds.flatMap((kind) => {
    if (isRangeKind(kind)) return [];
    const { stored, prefix } = storedAs(kind);
    return stored === family ? [`${literally(entriesBegin(prefix))}.*`] : [];
  });
  const exclude = apart.join('|');
  const others = exclude === '' || exclude.length > LONGEST_REGEXP ? {} : { exclude };
  const { entry } = facets[family].fields;
  return { terms: { field: entry, size: SPARE * MOST_FAMILY_VALUES, order: ORDER, ...others, ...how } };
}

/** A text as a regular expression of Lucene. */
const literally = (text: string): string => text.replace(/[^\p{L}\p{N}\s]/gu, '\\$&');

function ranges(kind: RangeKind, filters: readonly PlanFilter[]): Aggregations {
  const { field, edges, fine } = rangesFacet(kind);
  const bounds = edges.map((from, index) => ({ from, to: edges[index + 1] ?? null }));
  const selected = selectedRanges(filters, kind).map((range) => rangeQuery(kind, range));
  return {
    bins: { range: { field, ranges: [{ to: edges[0] ?? null }, ...bounds].map(withoutNull) } },
    lowest: { min: { field } },
    highest: { max: { field } },
    ...(fine ? { fine: { filter: { term: { finePrice: true } } } } : {}),
    ...(selected.length > 0 ? { chosen: { filters: { filters: selected } } } : {}),
  };
}

function withoutNull({ from, to }: { from?: number; to: number | null }): { from?: number; to?: number } {
  return { ...(from === undefined ? {} : { from }), ...(to === null ? {} : { to }) };
}

interface Answer {
  doc_count?: number;
  buckets?: { key: string; doc_count: number }[];
  value?: number | null;
}
type Group = { doc_count?: number } & Record<string, unknown>;

/** The answers of one part, by the names that `facetAggregations` gave its aggregations. */
type Read = (name: string) => Answer & Record<string, unknown>;

/** The answer to `facetAggregations`; null where there is no index. */
export function readFacets(plan: FacetPlan, answer: unknown): EngineResult['facets'] {
  const groups = (answer ?? {}) as Record<string, Group>;
  const parts = partsOf(plan);
  const apart = new Set<string>(parts.map(({ kind }) => kind));
  const read = parts.flatMap(({ kind, family, group, slot }): [FacetKind, Facet][] => {
    const own = groups[group];
    const of = own?.doc_count ?? 0;
    const part: Read = (name) => (own?.[`${name}${slot}`] ?? {}) as ReturnType<Read>;
    if (isRangeKind(kind)) return [[kind, readRanges(kind, of, part, plan.filters)]];
    if (family === null) return [[kind, readValues(kind, of, part, plan)]];
    const found = (part('entries').buckets ?? []).map((bucket) => readEntry(family, bucket.key, bucket.doc_count));
    const others = found.filter(({ key }) => !apart.has(splitStored(family, key).kind));
    return familyFacets(family, of, mostFrequent(mergeEntries(others), MOST_FAMILY_VALUES));
  });
  return Object.fromEntries(read);
}

function readRanges(kind: RangeKind, of: number, part: Read, filters: readonly PlanFilter[]): Facet {
  const sizes = (part('bins').buckets ?? []).map((bucket) => bucket.doc_count);
  const counts = {
    sizes,
    lowest: part('lowest').value ?? 0,
    highest: part('highest').value ?? 0,
    inCents: (part('fine').doc_count ?? 0) === 0,
  };
  const chosen = part('chosen').buckets ?? [];
  const selected = selectedRanges(filters, kind).map((range, index) => ({
    ...range,
    size: chosen[index]?.doc_count ?? 0,
  }));
  return rangesFacetOf(kind, of, { counts, selected });
}

function readValues(kind: ValueKind, of: number, part: Read, plan: FacetPlan): Facet {
  const { stored } = storedAs(kind);
  const selected = selectedKeys(plan.filters, kind);
  const seen = new Map((part('entries').buckets ?? []).map((bucket) => [bucket.key, bucket.doc_count]));
  const found: CountedValue[] = [...seen].map(([entry, size]) => readEntry(stored, entry, size));
  const ofSelected = part('selected')['entries'] as Answer | undefined;
  for (const { key: entry, doc_count: size } of ofSelected?.buckets ?? []) {
    const value = readEntry(stored, entry, size);
    // Of the other values these are not all the hits.
    if (selected.has(value.key) && !seen.has(entry)) found.push(value);
  }
  const most = plan.mostValues ?? MOST_FACET_VALUES;
  return valuesFacetOf(kind, of, mostFrequent(mergeEntries(found), most, selected));
}
