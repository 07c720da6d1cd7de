import type { FacetKind, PlanFilter } from '../../../query/query-plan';
import type { EngineResult, Facet, FacetValue } from '../../search-engine';
import type { Candidates } from './candidates';
import { FILTER_BITS } from './filters';
import { priceRanges } from './price-ranges';
import type { StoreIndex } from './store-index';

/** Values of one facet that are answered; what is selected is always among them. */
const MOST_VALUES = 200;

interface FacetSearch {
  index: StoreIndex;
  candidates: Candidates;
  failed: Uint8Array;
  filters: readonly PlanFilter[];
}

export function countFacets(search: FacetSearch, kinds: readonly FacetKind[]): EngineResult['facets'] {
  const facets: EngineResult['facets'] = {};
  for (const kind of kinds) facets[kind] = countFacet(search, kind);
  return facets;
}

function countFacet(search: FacetSearch, kind: FacetKind): Facet {
  const rows = counted(search, kind);
  if (kind === 'price') return { kind, ranges: priceRanges(pricesOf(search.index, rows)) };
  const values = kind === 'brand' ? brandValues(search.index, rows) : categoryValues(search.index, rows);
  return { kind, values: mostFrequent(values, selectedKeys(search.filters, kind)) };
}

/** Rows that pass every filter but the facet's own. */
function counted({ candidates, failed, filters }: FacetSearch, kind: FacetKind): Uint32Array {
  const { rows, count } = candidates;
  if (filters.every((filter) => filter.kind === kind)) return rows.subarray(0, count);
  const others = ~FILTER_BITS[kind];
  const passing = new Uint32Array(count);
  let passed = 0;
  for (let place = 0; place < count; place++) {
    if (((failed[place] ?? 0) & others) === 0) passing[passed++] = rows[place] ?? 0;
  }
  return passing.subarray(0, passed);
}

function pricesOf({ columns }: StoreIndex, rows: Uint32Array): Float64Array {
  const { data } = columns.price;
  const prices = new Float64Array(rows.length);
  for (let place = 0; place < rows.length; place++) prices[place] = data[rows[place] ?? 0] ?? 0;
  return prices;
}

function brandValues({ columns, vocabulary }: StoreIndex, rows: Uint32Array): FacetValue[] {
  const sizes = new Uint32Array(vocabulary.brands.length);
  const { data } = columns.brand;
  for (let place = 0; place < rows.length; place++) sizes[data[rows[place]!]!]!++;
  return vocabulary.brands.flatMap(({ key, label }, number) => {
    const size = sizes[number] ?? 0;
    return number === 0 || size === 0 ? [] : [{ key, label, parent: null, idO: key, size }];
  });
}

function categoryValues({ columns, vocabulary }: StoreIndex, rows: Uint32Array): FacetValue[] {
  const sizes = new Uint32Array(vocabulary.categories.length);
  const { categories } = columns;
  const { data } = categories;
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place]!;
    const end = categories.end(row);
    for (let at = categories.start(row); at < end; at++) sizes[data[at]!]!++;
  }
  return vocabulary.categories.flatMap(({ key, id, label, parent }, number) => {
    const size = sizes[number] ?? 0;
    return size === 0 ? [] : [{ key, label, parent, idO: id, size }];
  });
}

function selectedKeys(filters: readonly PlanFilter[], kind: 'brand' | 'category'): Set<string> {
  return new Set(filters.flatMap((filter) => (filter.kind === kind ? filter.keys : [])));
}

const depth = (value: FacetValue): number => (value.parent === null ? 0 : value.key.split('/').length);

/** A level is at least as frequent as those below it, so cutting the tail never leaves a value without its parent. */
function mostFrequent(values: FacetValue[], selected: ReadonlySet<string>): FacetValue[] {
  // Depths once and not per comparison: splitting keys was a fifth of the work of a search.
  const ranked = values.map((value) => ({ value, size: value.size, depth: depth(value), key: value.key }));
  ranked.sort((one, other) => other.size - one.size || one.depth - other.depth || (one.key < other.key ? -1 : 1));
  return ranked.flatMap(({ value }, place) => (place < MOST_VALUES || selected.has(value.key) ? [value] : []));
}
