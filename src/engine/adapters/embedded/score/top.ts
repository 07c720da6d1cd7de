import { type Above, topSlots } from '../../../../shared/top-slots';

/** Tiers are small numbers (candidates.ts): the steps of partial matches, eight terms in eight parts, end below 20. */
export const HIGHEST_TIER = 31;

/** The scores of one tier; kept, as long as the longest list was. */
let kept = new Float64Array(0);

/**
 * The first `size` of `slots` by tier and score, in no order: selecting by a number is many times faster than sorting. `tiers`,
 * `scores`: by slot. `above`: the same order, ties included.
 */
export function firstSlots(
  slots: Uint32Array,
  size: number,
  tiers: Uint8Array,
  scores: Float64Array,
  above: Above,
): Uint32Array {
  if (slots.length <= size) return slots.slice();
  const { tier, taken } = tierOf(size, slots, tiers);
  if (kept.length < slots.length) kept = new Float64Array(slots.length + (slots.length >> 2));
  const values = kept;
  let count = 0;
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!;
    if (tiers[slot] === tier) values[count++] = scores[slot]!;
  }
  const least = nthHighest(values.subarray(0, count), size - taken);
  const found = new Uint32Array(size);
  const ties: number[] = [];
  let filled = 0;
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!;
    const own = tiers[slot]!;
    if (own < tier || (own === tier && scores[slot]! < least)) continue;
    if (own === tier && scores[slot] === least) ties.push(slot);
    else found[filled++] = slot;
  }
  found.set(topSlots(Uint32Array.from(ties), size - filled, above), filled);
  return found;
}

/** The tier of the hit number `size`, and how many hits stand in the tiers above it. */
function tierOf(size: number, slots: Uint32Array, tiers: Uint8Array): { tier: number; taken: number } {
  const counts = new Uint32Array(HIGHEST_TIER + 1);
  for (let at = 0; at < slots.length; at++) counts[tiers[slots[at]!]!]!++;
  let taken = 0;
  let tier = HIGHEST_TIER;
  while (tier > 0 && taken + counts[tier]! < size) taken += counts[tier--]!;
  return { tier, taken };
}

/** Quickselect (Hoare 1961), middle element as pivot; reorders `values`. */
function nthHighest(values: Float64Array, nth: number): number {
  const target = nth - 1;
  let from = 0;
  let to = values.length - 1;
  while (from < to) {
    const pivot = values[(from + to) >> 1]!;
    let left = from;
    let right = to;
    while (left <= right) {
      while (values[left]! > pivot) left++;
      while (values[right]! < pivot) right--;
      if (left > right) break;
      const moved = values[left]!;
      values[left++] = values[right]!;
      values[right--] = moved;
    }
    if (target <= right) to = right;
    else if (target >= left) from = left;
    else break;
  }
  return values[target]!;
}
