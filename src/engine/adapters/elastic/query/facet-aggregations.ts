import type { estypes } from '@elastic/elasticsearch';
import { facets, type FacetKind, isValueKind, type RangeKind, type ValueKind } from '../../../facets';
import type { PlanFilter } from '../../../plan/query-plan';
import { MOST_FACET_VALUES, mostFrequent, selectedKeys } from '../../../facet-values';
import { priceEdges, priceRanges } from '../../../price-ranges';
import type { EngineResult, Facet } from '../../../search-engine';
import { mergeEntries, readEntry } from '../mapping/facet-entries';
import { filterQuery } from './hit-filters';

type Aggregation = estypes.AggregationsAggregationContainer;

/** More than a facet answers: a value with two labels has two entries. */
const COUNTED = 2 * MOST_FACET_VALUES;

/** One aggregation for each facet, over hits that pass every filter but the facet's own. */
export function facetAggregations(
  kinds: readonly FacetKind[],
  filters: readonly PlanFilter[],
): Record<string, Aggregation> {
  return Object.fromEntries(
    kinds.map((kind) => {
      const others = filters.filter((filter) => filter.kind !== kind).map(filterQuery);
      const filter = others.length === 0 ? { match_all: {} } : { bool: { filter: others } };
      return [kind, { filter, aggs: isValueKind(kind) ? values(kind, filters) : ranges(kind) }];
    }),
  );
}

function values(kind: ValueKind, filters: readonly PlanFilter[]): Record<string, Aggregation> {
  const { key, entry } = facets[kind].fields;
  const selected = [...selectedKeys(filters, kind)];
  // By count, then by entry: the order of a facet.
  const order = [{ _count: 'desc' as const }, { _key: 'asc' as const }];
  const entries = { terms: { field: entry, size: COUNTED, order } };
  if (selected.length === 0) return { entries };
  // What is selected is answered however rare it is.
  return { entries, selected: { filter: { terms: { [key]: selected } }, aggs: { entries } } };
}

function ranges(kind: RangeKind): Record<string, Aggregation> {
  const { field } = facets[kind];
  const bounds = priceEdges.map((from, index) => ({ from, to: priceEdges[index + 1] ?? null }));
  return {
    bins: { range: { field, ranges: [{ to: priceEdges[0] ?? null }, ...bounds].map(withoutNull) } },
    lowest: { min: { field } },
    highest: { max: { field } },
    fine: { filter: { term: { finePrice: true } } },
  };
}

function withoutNull({ from, to }: { from?: number; to: number | null }): { from?: number; to?: number } {
  return { ...(from === undefined ? {} : { from }), ...(to === null ? {} : { to }) };
}

interface CountedBucket {
  doc_count: number;
}

interface AnsweredFacet extends CountedBucket {
  entries?: { buckets: (CountedBucket & { key: string })[] };
  selected?: AnsweredFacet;
  bins?: { buckets: CountedBucket[] };
  lowest?: { value: number | null };
  highest?: { value: number | null };
  fine?: CountedBucket;
}

/** The answer to `facetAggregations`; null where there is no index. */
export function readFacets(
  kinds: readonly FacetKind[],
  filters: readonly PlanFilter[],
  answer: unknown,
): EngineResult['facets'] {
  const answers = (answer ?? {}) as Partial<Record<FacetKind, AnsweredFacet>>;
  return Object.fromEntries(
    kinds.map((kind) => {
      const own = answers[kind] ?? { doc_count: 0 };
      return [kind, isValueKind(kind) ? readValues(kind, own, filters) : readRanges(kind, own)];
    }),
  );
}

function readRanges(kind: RangeKind, { bins, lowest, highest, fine }: AnsweredFacet): Facet {
  const sizes = (bins?.buckets ?? []).map((bucket) => bucket.doc_count);
  const bounds = { lowest: lowest?.value ?? 0, highest: highest?.value ?? 0 };
  return { kind, ranges: priceRanges({ sizes, ...bounds, inCents: (fine?.doc_count ?? 0) === 0 }) };
}

function readValues(kind: ValueKind, answer: AnsweredFacet, filters: readonly PlanFilter[]): Facet {
  const selected = selectedKeys(filters, kind);
  const seen = new Map((answer.entries?.buckets ?? []).map((bucket) => [bucket.key, bucket.doc_count]));
  const found = [...seen].map(([entry, size]) => readEntry(entry, size));
  for (const { key: entry, doc_count: size } of answer.selected?.entries?.buckets ?? []) {
    const value = readEntry(entry, size);
    // Of the other values these are not all the hits.
    if (selected.has(value.key) && !seen.has(entry)) found.push(value);
  }
  return { kind, values: mostFrequent(mergeEntries(found), selected) };
}
