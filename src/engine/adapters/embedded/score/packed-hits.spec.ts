import { Dice } from '../../../../../test/support/dice';
import { SearchArrays } from '../match/search-arrays';
import { PackedHits } from './packed-hits';

interface Hit {
  row: number;
  tier: number;
  text: number;
}

/** As they are after they were kept, by row. */
function kept(hits: readonly Hit[], slots = hits.map((_, slot) => slot)): { back: Hit[]; bytes: number } {
  const arrays = new SearchArrays();
  const rows = Uint32Array.from(hits, ({ row }) => row);
  const tiers = Uint8Array.from(hits, ({ tier }) => tier);
  const textOf = (slot: number): number => hits[slot]?.text ?? 0;
  const packed = PackedHits.of({ rows, tiers }, { slots: Uint32Array.from(slots), textOf, arrays });
  arrays.begin();
  const back = packed.unpack(arrays);
  const all = Array.from({ length: packed.count }, (_, slot) => ({
    row: back.rows[slot] ?? 0,
    tier: back.tiers[slot] ?? 0,
    text: back.text[slot] ?? 0,
  }));
  return { back: all, bytes: packed.bytes };
}

test('hits come back as they were, to the last bit', () => {
  const dice = new Dice(3);
  const rows = new Set([0, 127, 128, 16_383, 16_384, 2 ** 21, 2 ** 28, 2 ** 31 + 5, 2 ** 32 - 2]);
  while (rows.size < 2000) rows.add(dice.below(100_000));
  const hits = Array.from(rows, (row): Hit => ({ row, tier: dice.below(256), text: dice.below(40) / 7 }));
  const byRow = hits.toSorted((a, b) => a.row - b.row);
  expect(kept(byRow).back).toEqual(byRow);
  // In whatever order they are.
  expect(kept(hits).back).toEqual(byRow);
  expect(kept(hits, [5, 3, 8]).back).toEqual([8, 5, 3].map((slot) => hits[slot]).toSorted((a, b) => a!.row - b!.row));
  expect(kept([]).back).toEqual([]);
});

test('each may have a text of its own', () => {
  const hits = Array.from({ length: 1000 }, (_, row): Hit => ({ row, tier: row % 3, text: Math.sqrt(row) }));
  expect(kept(hits).back).toEqual(hits);
});

test('hits of few kinds take two bytes each where every hundredth row is one', () => {
  const hits = Array.from({ length: 1000 }, (_, at): Hit => ({ row: 100 * at, tier: 1, text: at % 10 }));
  expect(kept(hits).bytes).toBeLessThan(2200);
});
