import type { FacetKind, PlanFilter } from '../../../plan/query-plan';
import type { StoreIndex } from '../index/store-index';

/** One bit per kind of filter: what a candidate fails. A facet counts those that fail nothing but its own. */
export const FILTER_BITS: Readonly<Record<FacetKind, number>> = { brand: 1, category: 2, price: 4 };

/** By place among the candidates, the filters it fails; 0: a hit. */
export function failures(index: StoreIndex, rows: Uint32Array, filters: readonly PlanFilter[]): Uint8Array {
  const failed = new Uint8Array(rows.length);
  for (const filter of filters) {
    const passes = passing(index, filter);
    const bit = FILTER_BITS[filter.kind];
    for (let place = 0; place < rows.length; place++) {
      if (!passes(rows[place] ?? 0)) failed[place] = (failed[place] ?? 0) | bit;
    }
  }
  return failed;
}

function passing({ columns, vocabulary }: StoreIndex, filter: PlanFilter): (row: number) => boolean {
  if (filter.kind === 'brand') {
    const wanted = new Set(filter.keys.map((key) => vocabulary.brandOf(key)));
    return (row) => wanted.has(columns.brand.data[row]);
  }
  if (filter.kind === 'category') {
    const wanted = new Set(filter.keys.map((key) => vocabulary.categoryOf(key)));
    const { data } = columns.categories;
    return (row) => {
      const end = columns.categories.end(row);
      for (let at = columns.categories.start(row); at < end; at++) if (wanted.has(data[at])) return true;
      return false;
    };
  }
  return (row) => {
    const price = columns.price.data[row] ?? 0;
    return filter.ranges.some(({ min, max }) => (min === null || price >= min) && (max === null || price <= max));
  };
}
