import { mostFrequent, selectedKeys } from '../../../facet-values';
import { facets, type FacetKind, isValueKind, type ValueKind } from '../../../facets';
import type { PlanFilter, QueryPlan } from '../../../plan/query-plan';
import { type PriceCounts, priceEdges, priceRanges } from '../../../price-ranges';
import type { EngineResult, Facet, FacetValue } from '../../../search-engine';
import { FINE_PRICE } from '../index/columns';
import { Lists } from '../index/growable';
import type { StoreIndex } from '../index/store-index';
import type { CandidateRows } from './candidates';
import { type Failures, filterBit } from './filters';

export function countFacets(
  index: StoreIndex,
  candidates: CandidateRows,
  failed: Failures,
  { facets: kinds, filters }: QueryPlan,
): EngineResult['facets'] {
  const countFacet = (kind: FacetKind): Facet => {
    const rows = passingOthers(candidates, failed, filters, kind);
    if (!isValueKind(kind)) return { kind, ranges: priceRanges(countPrices(index, rows)) };
    return { kind, values: mostFrequent(countValues(index, kind, rows), selectedKeys(filters, kind)) };
  };
  return Object.fromEntries(kinds.map((kind) => [kind, countFacet(kind)]));
}

/** Rows that pass every filter but the facet's own. */
function passingOthers(
  { rows, count }: CandidateRows,
  failed: Failures,
  filters: readonly PlanFilter[],
  kind: FacetKind,
): Uint32Array {
  if (filters.every((filter) => filter.kind === kind)) return rows.subarray(0, count);
  const others = ~filterBit(kind);
  const passing = new Uint32Array(count);
  let passed = 0;
  for (let slot = 0; slot < count; slot++) {
    if (((failed[slot] ?? 0) & others) === 0) passing[passed++] = rows[slot] ?? 0;
  }
  return passing.subarray(0, passed);
}

function countPrices({ columns }: StoreIndex, rows: Uint32Array): PriceCounts {
  const prices = columns.numbers.price.data;
  const bins = columns.priceBins.data;
  const sizes = new Uint32Array(priceEdges.length + 1);
  let [lowest, highest, fine] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    const price = prices[row]!;
    const bin = bins[row]!;
    sizes[bin & ~FINE_PRICE]!++;
    fine |= bin & FINE_PRICE;
    if (price < lowest) lowest = price;
    if (price > highest) highest = price;
  }
  return { sizes: Array.from(sizes), lowest, highest, inCents: fine === 0 };
}

function countValues({ columns, vocabulary }: StoreIndex, kind: ValueKind, rows: Uint32Array): FacetValue[] {
  const { entries } = vocabulary.values[kind];
  const values = columns.values[kind];
  const sizes = new Uint32Array(entries.length);
  if (values instanceof Lists) countLists(values, rows, sizes);
  else for (let index = 0, { data } = values; index < rows.length; index++) sizes[data[rows[index]!]!]!++;
  // Number 0 of a single value stands for none.
  if (facets[kind].single) sizes[0] = 0;
  return entries.flatMap(({ key, id = key, label, parent = null }, number) => {
    const size = sizes[number] ?? 0;
    return size === 0 ? [] : [{ key, label, parent, idO: id, size }];
  });
}

function countLists({ data, starts }: Lists, rows: Uint32Array, sizes: Uint32Array): void {
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    const end = starts[row + 1]!;
    for (let at = starts[row]!; at < end; at++) sizes[data[at]!]!++;
  }
}
