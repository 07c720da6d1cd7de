import type { FilterReply } from './reply-schema';

/** Values shown together, and of one filter. */
const MOST_VALUES = 8;
const MOST_OF_A_FILTER = 4;
/** Of the hits, at least so many are on either side of a value: less says nothing about what was found. */
const LEAST_SHARE = 0.05;

type DiscreteFilter = Extract<FilterReply, { type: 'discrete' }>;
type Value = DiscreteFilter['values'][number];

/**
 * The values that divide the hits best, in the shape of the filters they are of: one click that takes about half away. Levels of a category
 * tree stand beside each other; ranges and what is selected are left out.
 */
export function quickFilters(filters: readonly FilterReply[], hits: number): DiscreteFilter[] {
  const discrete = filters.flatMap((filter) => (filter.type === 'discrete' ? filter : []));
  const dividing = discrete.flatMap(({ id, values }) => {
    return dividingOf(values, hits)
      .sort(byDivision(hits))
      .slice(0, MOST_OF_A_FILTER)
      .map(({ filters: _below, ...value }) => ({ id, value }));
  });
  const order = byDivision(hits);
  const best = dividing.toSorted((a, b) => order(a.value, b.value)).slice(0, MOST_VALUES);
  return discrete.flatMap((filter) => {
    const values = best.flatMap(({ id, value }) => (id === filter.id ? value : []));
    return values.length > 0 ? { ...filter, values } : [];
  });
}

/** Of every level, each value before those below it. */
function dividingOf(values: readonly Value[], hits: number): Value[] {
  return values.flatMap((value) => {
    const below = value.filters ? dividingOf(value.filters, hits) : [];
    return dividesEnough(value, hits) ? [value, ...below] : below;
  });
}

const dividesEnough = ({ size, selected }: Value, hits: number): boolean =>
  !selected && Math.min(size, hits - size) >= Math.max(1, hits * LEAST_SHARE);

/** The nearer to half of the hits the better, ties in the order of the filters. */
const byDivision =
  (hits: number) =>
  (a: Value, b: Value): number =>
    Math.abs(a.size - hits / 2) - Math.abs(b.size - hits / 2);
