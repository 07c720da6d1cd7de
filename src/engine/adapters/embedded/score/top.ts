/** What an order needs to compare two places; never 0 for different places, so that pages neither repeat nor drop any. */
export type Above = (a: number, b: number) => boolean;

/**
 * The first `size` of `places` in order, without sorting the others: a heap with the last of the kept ones on top.
 * Reorders `places`.
 */
export function topPlaces(places: Uint32Array, size: number, above: Above): Uint32Array {
  const kept = Math.min(size, places.length);
  const order = (a: number, b: number): number => (above(a, b) ? -1 : 1);
  if (kept * 4 >= places.length) return places.sort(order).subarray(0, kept);
  const heap = places.slice(0, kept);
  for (let root = (kept >> 1) - 1; root >= 0; root--) sink(heap, root, above);
  for (let index = kept; index < places.length; index++) {
    const place = places[index] ?? 0;
    if (kept === 0 || !above(place, heap[0] ?? 0)) continue;
    heap[0] = place;
    sink(heap, 0, above);
  }
  return heap.sort(order);
}

function sink(heap: Uint32Array, from: number, above: Above): void {
  const moving = heap[from] ?? 0;
  let at = from;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && above(heap[child] ?? 0, heap[child + 1] ?? 0)) child++;
    if (above(heap[child] ?? 0, moving)) break;
    heap[at] = heap[child] ?? 0;
    at = child;
  }
  heap[at] = moving;
}

/** Tiers are small numbers (candidates.ts). */
const HIGHEST_TIER = 3;

interface FirstRequest {
  places: Uint32Array;
  size: number;
  /** By place. */
  tiers: Uint8Array;
  scores: Float64Array;
  /** The same order, ties included. */
  above: Above;
}

/** The first `size` of `places` by tier and score, in no order: by one number, many times faster than by comparing. */
export function firstPlaces({ places, size, tiers, scores, above }: FirstRequest): Uint32Array {
  if (places.length <= size) return places.slice();
  const { tier, taken } = tierOf(size, places, tiers);
  const values = new Float64Array(places.length);
  let count = 0;
  for (let at = 0; at < places.length; at++) {
    const place = places[at]!;
    if (tiers[place] === tier) values[count++] = scores[place]!;
  }
  const least = nthHighest(values.subarray(0, count), size - taken);
  const found = new Uint32Array(size);
  const ties: number[] = [];
  let filled = 0;
  for (let at = 0; at < places.length; at++) {
    const place = places[at]!;
    const own = tiers[place]!;
    if (own < tier || (own === tier && scores[place]! < least)) continue;
    if (own === tier && scores[place] === least) ties.push(place);
    else found[filled++] = place;
  }
  found.set(topPlaces(Uint32Array.from(ties), size - filled, above), filled);
  return found;
}

/** The tier of the hit number `size`, and how many hits stand in the tiers above it. */
function tierOf(size: number, places: Uint32Array, tiers: Uint8Array): { tier: number; taken: number } {
  const counts = new Uint32Array(HIGHEST_TIER + 1);
  for (let at = 0; at < places.length; at++) counts[tiers[places[at]!]!]!++;
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
