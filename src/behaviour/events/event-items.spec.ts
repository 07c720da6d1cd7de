import fc from 'fast-check';
import { list } from './event-fields';
import { areRegular, item } from './event-items';

const odd = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.constant(null),
  fc.constant(''),
  fc.constant([]),
  fc.constant({}),
);
const entry = fc.oneof(
  { weight: 5, arbitrary: fc.record({ pid: fc.string({ minLength: 1, maxLength: 8 }), quantity: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ pid: odd, sku: odd, price: odd, quantity: odd }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: odd },
);

describe('items of an event', () => {
  it('that are called regular are what their check makes of them', () => {
    let regular = 0;
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), (items) => {
        if (!areRegular(items)) return;
        regular += 1;
        expect(list(item).parse(items)).toEqual(items);
      }),
      { numRuns: 2000 },
    );
    expect(regular).toBeGreaterThan(200);
  });

  it('are no more than 500, whatever they are', () => {
    const items = (count: number) => Array.from({ length: count }, () => ({ pid: 'a' }));
    expect([areRegular(items(500)), areRegular(items(501))]).toEqual([true, false]);
  });
});
