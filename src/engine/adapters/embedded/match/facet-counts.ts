import { mostFrequent, selectedKeys } from '../../../facet-values';
import type { FacetKind, PlanFilter } from '../../../plan/query-plan';
import type { EngineResult, Facet, FacetValue } from '../../../search-engine';
import { FINE_PRICE } from '../index/columns';
import type { Candidates } from './candidates';
import { FILTER_BITS } from './filters';
import { type PriceCounts, priceEdges, priceRanges } from '../../../price-ranges';
import type { StoreIndex } from '../index/store-index';

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
  if (kind === 'price') return { kind, ranges: priceRanges(countPrices(search.index, rows)) };
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

function countPrices({ columns }: StoreIndex, rows: Uint32Array): PriceCounts {
  const prices = columns.price.data;
  const bins = columns.priceBins.data;
  const sizes = new Uint32Array(priceEdges.length + 1);
  let [lowest, highest, fine] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place]!;
    const price = prices[row]!;
    const bin = bins[row]!;
    sizes[bin & ~FINE_PRICE]!++;
    fine |= bin & FINE_PRICE;
    if (price < lowest) lowest = price;
    if (price > highest) highest = price;
  }
  return { sizes: Array.from(sizes), lowest, highest, inCents: fine === 0 };
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
