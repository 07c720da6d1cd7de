import type { EngineHit, EngineResult } from '../search-engine';
import type { QueryPlan } from './query-plan';

/** The furthest hit an engine answers. */
const DEEPEST = 10_000;

type Piece = Pick<QueryPlan, 'from' | 'size'>;

/**
 * Engines order pinned products as a tier of their own, above all others. A page on which pins stand at their slots is made of two pieces of
 * that order: the pins, which it begins with, and what would stand on the page and up to as many slots further on as there are pins.
 * `rest` is null where `head` holds both. Null: no pin has a slot.
 */
export function pinnedPieces({
  from,
  size,
  rules,
  sortBy,
  match,
}: QueryPlan): { head: Piece; rest: Piece | null } | null {
  const pins = rules?.pins.length ?? 0;
  if (pins === 0 || size === 0 || sortBy !== 'relevance' || match.kind === 'ids') return null;
  const page = { from, size: Math.max(size, Math.min(size + pins, DEEPEST - from)) };
  return from === 0 ? { head: page, rest: null } : { head: { from: 0, size: pins }, rest: page };
}

/**
 * The slot of each pin, from 0, for the positions that rules give them (from 1; null: the first that is free). Those that claim the same
 * slot follow each other, and those behind the last hit are the last ones.
 */
export function pinSlots(positions: readonly (number | null)[], others: number): number[] {
  const slots = positions.map(() => -1);
  const fixed = positions.flatMap((position, index) => (position === null ? [] : [{ position, index }]));
  fixed.sort((a, b) => a.position - b.position || a.index - b.index);
  let before = -1;
  fixed.forEach(({ position, index }, number) => {
    const last = others + positions.length - fixed.length + number;
    before = Math.min(Math.max(position - 1, before + 1), last);
    slots[index] = before;
  });
  const taken = new Set(slots);
  let free = 0;
  return slots.map((slot) => {
    if (slot >= 0) return slot;
    while (taken.has(free)) free++;
    return free++;
  });
}

/** The page a plan asks for, of the pieces of the engine's order. */
export function pinnedPage(
  { from, size, rules }: QueryPlan,
  head: Pick<EngineResult, 'total' | 'hits'>,
  rest: Pick<EngineResult, 'hits'> | null,
): EngineHit[] {
  const pinned = new Map(head.hits.flatMap((hit) => (hit.tier === 'pin' ? [[hit.productId, hit] as const] : [])));
  const pins = (rules?.pins ?? []).filter(({ product }) => pinned.has(product));
  const slots = pinSlots(
    pins.map(({ position }) => position),
    head.total - pins.length,
  );
  const pinAt = new Map(slots.map((slot, index) => [slot, pinned.get(pins[index]?.product ?? '')]));
  const others = (rest ?? head).hits;
  // In the engine's order the first product of the page that is not pinned stands behind all the pins.
  let next = pins.length - slots.filter((slot) => slot < from).length;
  const page: EngineHit[] = [];
  for (let slot = from; slot < from + size; slot++) {
    const hit = pinAt.get(slot) ?? others[next++];
    if (!hit) break;
    page.push(hit);
  }
  return page;
}
