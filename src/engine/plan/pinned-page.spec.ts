import type { EngineHit, EngineResult } from '../search-engine';
import { pinnedPage, pinnedPieces, pinSlots } from './pinned-page';
import type { QueryPlan } from './query-plan';

describe('pinSlots', () => {
  test.each<[string, (number | null)[], number, number[]]>([
    ['first where no position is said', [null, null], 5, [0, 1]],
    ['at their positions', [3, 1], 5, [2, 0]],
    ['one behind the other where they claim the same', [2, 2, 2], 5, [1, 2, 3]],
    ['around those at their positions', [null, 1, null, 3], 5, [1, 0, 3, 2]],
    ['last, in their order, behind the end', [500, 400, 2], 2, [4, 3, 1]],
    ['alone', [7], 0, [0]],
    ['nowhere', [], 3, []],
  ])('%s', (_how, positions, others, slots) => {
    expect(pinSlots(positions, others)).toEqual(slots);
  });
});

describe('pinnedPage', () => {
  const hit = (productId: string, tier: EngineHit['tier']): EngineHit => ({
    productId,
    tier,
    channel: 'default',
    version: 1,
    score: 1,
  });

  /** Pins first, as an engine orders them; then a, b, c and so on. */
  function engine(pins: string[], others: number): (piece: Pick<QueryPlan, 'from' | 'size'>) => EngineResult {
    const letters = Array.from({ length: others }, (_, index) => hit(String.fromCharCode(97 + index), 'all'));
    const all = [...pins.map((pin) => hit(pin, 'pin')), ...letters];
    return ({ from, size }) => ({
      total: all.length,
      hits: all.slice(from, from + size),
      facets: {},
      execution: 'neutral',
    });
  }

  test('is what the whole order has there, wherever it begins and ends', () => {
    const cases: [(number | null)[], string[]][] = [
      [
        [null, 4, 4, 30],
        ['P0', 'P1', 'P2', 'P3'],
      ],
      [
        [2, null, 9, 1],
        ['P1', 'P3'],
      ],
      [
        [5, 6, 7, 8],
        ['P0', 'P1', 'P2', 'P3'],
      ],
      [[1, 2, 3, 4], []],
    ];
    for (const [positions, visible] of cases) {
      const pins = positions.map((position, index) => ({ product: `P${index}`, position, rule: 'r' }));
      const rules = { hidden: [], factors: [], pins };
      const ask = engine(visible, 9);
      const page = (from: number, size: number): string[] => {
        const plan = { from, size, rules, sortBy: 'relevance', match: { kind: 'all' } } as unknown as QueryPlan;
        const pieces = pinnedPieces(plan);
        if (!pieces) throw new Error('Pins have slots here');
        return pinnedPage(plan, ask(pieces.head), pieces.rest && ask(pieces.rest)).map(({ productId }) => productId);
      };
      const whole = page(0, 100);
      expect(whole.toSorted()).toEqual([...visible, ...'abcdefghi'].toSorted());
      for (let size = 1; size < 6; size++) {
        for (let from = 0; from < 15; from++) expect(page(from, size)).toEqual(whole.slice(from, from + size));
      }
    }
  });

  test('is asked for as it is where shoppers sort, where products were named, and where none is shown', () => {
    const rules = { hidden: [], factors: [], pins: [{ product: 'p', position: 1, rule: 'r' }] };
    const plan = { from: 0, size: 5, rules, sortBy: 'relevance', match: { kind: 'all' } } as unknown as QueryPlan;
    expect(pinnedPieces(plan)).toEqual({ head: { from: 0, size: 6 }, rest: null });
    expect(pinnedPieces({ ...plan, from: 9_998, size: 2 })?.rest).toEqual({ from: 9_998, size: 2 });
    expect(pinnedPieces({ ...plan, sortBy: 'pid' })).toBeNull();
    expect(pinnedPieces({ ...plan, size: 0 })).toBeNull();
    expect(pinnedPieces({ ...plan, match: { kind: 'ids', ids: ['p'] } })).toBeNull();
    expect(pinnedPieces({ ...plan, rules: { ...rules, pins: [] } })).toBeNull();
  });
});
