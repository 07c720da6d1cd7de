import { type FacetKind, facetKinds } from '../../../facets';
import type { PlanFilter } from '../../../plan/query-plan';
import { Lists } from '../index/growable';
import type { StoreIndex } from '../index/store-index';

/** One bit for each kind of filter. */
export type Failures = Uint8Array | Uint32Array;
const FailureBits = facetKinds.length > 8 ? Uint32Array : Uint8Array;

/** What a candidate fails. A facet counts those that fail nothing but its own filter. */
export const filterBit = (kind: FacetKind): number => 1 << facetKinds.indexOf(kind);

/** The filters that each candidate fails; 0: it is a hit. */
export function failures(index: StoreIndex, rows: Uint32Array, filters: readonly PlanFilter[]): Failures {
  const failed = new FailureBits(rows.length);
  for (const filter of filters) {
    const passes = passing(index, filter);
    const bit = filterBit(filter.kind);
    for (let slot = 0; slot < rows.length; slot++) {
      if (!passes(rows[slot] ?? 0)) failed[slot] = (failed[slot] ?? 0) | bit;
    }
  }
  return failed;
}

function passing({ columns, vocabulary }: StoreIndex, filter: PlanFilter): (row: number) => boolean {
  if ('ranges' in filter) {
    const prices = columns.numbers.price.data;
    return (row) => {
      const price = prices[row] ?? 0;
      return filter.ranges.some(({ min, max }) => (min === null || price >= min) && (max === null || price <= max));
    };
  }
  const wanted = new Set(filter.keys.map((key) => vocabulary.values[filter.kind].numberOf(key)));
  const values = columns.values[filter.kind];
  const { data } = values;
  if (!(values instanceof Lists)) return (row) => wanted.has(data[row]);
  return (row) => {
    const end = values.end(row);
    for (let at = values.start(row); at < end; at++) if (wanted.has(data[at])) return true;
    return false;
  };
}
