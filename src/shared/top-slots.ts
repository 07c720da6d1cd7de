/** Whether a comes before b. Different slots never tie, so that pages neither repeat nor drop any. */
export type Above = (a: number, b: number) => boolean;

/**
 * The first `size` of `slots` in order, without sorting the others: a heap with the last of the kept ones on top.
 * Reorders `slots`.
 */
export function topSlots(slots: Uint32Array, size: number, above: Above): Uint32Array {
  const kept = Math.min(size, slots.length);
  const order = (a: number, b: number): number => (above(a, b) ? -1 : 1);
  if (kept * 4 >= slots.length) return slots.sort(order).subarray(0, kept);
  const heap = slots.slice(0, kept);
  for (let root = (kept >> 1) - 1; root >= 0; root--) sink(heap, root, above);
  for (let index = kept; index < slots.length; index++) {
    const slot = slots[index] ?? 0;
    if (kept === 0 || !above(slot, heap[0] ?? 0)) continue;
    heap[0] = slot;
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
