import fc from 'fast-check';
import { type Above, topSlots } from '../../../../shared/top-slots';
import { firstSlots } from './top';

const hits = fc.array(fc.record({ tier: fc.integer({ min: 0, max: 3 }), score: fc.integer({ min: 0, max: 5 }) }), {
  maxLength: 80,
});

interface Hit {
  tier: number;
  score: number;
}

const orderOf =
  (list: readonly Hit[]): Above =>
  (left, right) => {
    const [a, b] = [list[left], list[right]];
    if (!a || !b) return false;
    return a.tier !== b.tier ? a.tier > b.tier : a.score === b.score ? left < right : a.score > b.score;
  };

const sorted = (list: readonly Hit[]): number[] => {
  const above = orderOf(list);
  return list.map((_, slot) => slot).sort((a, b) => (above(a, b) ? -1 : 1));
};

describe('the first of many hits', () => {
  it('are those a full sort puts first, in its order', () => {
    fc.assert(
      fc.property(hits, fc.nat(90), (list, size) => {
        const slots = Uint32Array.from(list.keys());
        expect([...topSlots(slots, size, orderOf(list))]).toEqual(sorted(list).slice(0, size));
      }),
    );
  });

  it('are the same ones where they are only selected', () => {
    fc.assert(
      fc.property(hits, fc.integer({ min: 1, max: 90 }), (list, size) => {
        const first = firstSlots(
          Uint32Array.from(list.keys()),
          size,
          Uint8Array.from(list, ({ tier }) => tier),
          Float64Array.from(list, ({ score }) => score),
          orderOf(list),
        );
        expect([...first].sort((a, b) => a - b)).toEqual(
          sorted(list)
            .slice(0, size)
            .sort((a, b) => a - b),
        );
      }),
    );
  });
});
