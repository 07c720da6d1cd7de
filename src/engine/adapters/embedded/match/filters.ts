import { type RangeKind, storedAs } from '../../../facets';
import type { PlanFilter } from '../../../plan/query-plan';
import { Lists } from '../index/growable';
import type { StoreIndex } from '../index/store-index';
import type { SearchArrays } from './search-arrays';

const SEVERAL = 255;

/** Which filters candidates fail: enough to tell for every facet who fails nothing but its own filter. */
export interface Failures {
  /** By slot. 0: it is a hit; else the number of the one kind of filter that it fails, or `SEVERAL`. */
  failed: Uint8Array;
  /** Numbers of the kinds that are filtered, from 1. */
  numbers: ReadonlyMap<string, number>;
}

export function failures(
  index: StoreIndex,
  rows: Uint32Array,
  filters: readonly PlanFilter[],
  arrays: SearchArrays,
): Failures {
  const failed = arrays.bytes(rows.length).fill(0);
  const numbers = new Map<string, number>();
  for (const filter of filters) {
    const number = numbers.get(filter.kind) ?? Math.min(numbers.size + 1, SEVERAL);
    numbers.set(filter.kind, number);
    const passes = passing(index, filter, arrays);
    for (let slot = 0; slot < rows.length; slot++) {
      if (failed[slot] === SEVERAL || passes(rows[slot]!)) continue;
      failed[slot] = failed[slot] === 0 || failed[slot] === number ? number : SEVERAL;
    }
  }
  return { failed, numbers };
}

/** What ranges are over, by row; NaN: in none. */
export const rangeValues = ({ columns }: StoreIndex, kind: RangeKind): Float64Array =>
  kind === 'price' ? columns.numbers.price.data : columns.discounts.data;

function passing(index: StoreIndex, filter: PlanFilter, arrays: SearchArrays): (row: number) => boolean {
  if ('ranges' in filter) {
    const numbers = rangeValues(index, filter.kind);
    const ranges = filter.ranges.map(({ min, max }) => ({ min: min ?? -Infinity, max: max ?? Infinity }));
    return (row) => {
      const number = numbers[row]!;
      return ranges.some(({ min, max }) => number >= min && number <= max);
    };
  }
  const { stored, prefix } = storedAs(filter.kind);
  const { columns, vocabulary } = index;
  const { entries } = vocabulary.values[stored];
  // A byte for each value there is: asking a set for each value of each product was a tenth of the work of browsing.
  const wanted = arrays.bytes(entries.length).fill(0);
  for (const key of filter.keys) {
    const number = vocabulary.values[stored].numberOf(prefix + key);
    if (number !== undefined) wanted[number] = 1;
  }
  const values = columns.values[stored];
  const { data } = values;
  if (!(values instanceof Lists)) return (row) => wanted[data[row]!] === 1;
  const { starts } = values;
  return (row) => {
    const end = starts[row + 1]!;
    for (let at = starts[row]!; at < end; at++) if (wanted[data[at]!] === 1) return true;
    return false;
  };
}
