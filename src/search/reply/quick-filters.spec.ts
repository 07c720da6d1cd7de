import { quickFilters } from './quick-filters';
import type { FilterReply } from './reply-schema';

describe('quick filters', () => {
  const value = (id: number, size: number, more: object = {}) => ({
    id,
    idO: `${id}`,
    label: `v${id}`,
    size,
    applyLink: `/?filter=d:1:${id}`,
    ...more,
  });
  const filter = (id: number, values: ReturnType<typeof value>[]): FilterReply => ({
    id,
    attribute: `a${id}`,
    type: 'discrete',
    values,
  });
  const shown = (filters: FilterReply[], hits: number) =>
    quickFilters(filters, hits).map(({ id, values }) => [id, values.map((one) => one.id)]);

  it('are the values that divide the hits best, in the order and shape of their filters', () => {
    const filters = [filter(1, [value(11, 90), value(12, 60), value(13, 40)]), filter(2, [value(21, 50)])];
    expect(shown(filters, 100)).toEqual([
      [1, [12, 13, 11]],
      [2, [21]],
    ]);
    expect(quickFilters(filters, 100)[1]).toEqual(filters[1]);
  });

  it('leave out what all hits have, what hardly any has, and what is selected', () => {
    expect(shown([filter(1, [value(11, 100), value(12, 2), value(13, 50, { selected: true })])], 100)).toEqual([]);
    expect(shown([], 0)).toEqual([]);
  });

  it('show levels of a tree beside each other', () => {
    const tree = filter(1, [value(11, 100, { filters: [value(12, 60, { filters: [value(13, 30)] })] })]);
    expect(quickFilters([tree], 100)).toEqual([{ ...tree, values: [value(12, 60), value(13, 30)] }]);
  });

  it('leave out ranges, and are few', () => {
    const many = [1, 2, 3, 4].map((id) =>
      filter(
        id,
        [10, 20, 30, 40, 50].map((size) => value(id * 100 + size, size)),
      ),
    );
    const found = quickFilters(many, 100);
    expect(found.flatMap(({ values }) => values)).toHaveLength(8);
    expect(Math.max(...found.map(({ values }) => values.length))).toBeLessThanOrEqual(4);
    expect(quickFilters([{ id: 9, attribute: 'price', type: 'continuous', values: [] }], 100)).toEqual([]);
  });
});
