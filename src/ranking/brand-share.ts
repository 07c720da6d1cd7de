/** A template's `maxShare`: at most this share of the first products is of one brand. */

/** The products a share is of. */
export const FIRST_PRODUCTS = 24;
/** Other brands are looked for among so many: what is further down is not brought to the front. */
export const LOOKED_THROUGH = 240;

export interface Branded {
  brand: string | null;
  /** Products of different tiers never change sides; those of the tier `pin` stay where they are. */
  tier: unknown;
}

/**
 * The order in which products stand, as positions of the order they came in. Products of a brand that has its share wait, in their order, behind
 * the first ones; where their tier has nobody else to stand in front of them, they stay.
 */
export function limitBrands(products: readonly Branded[], maxShare: number): number[] {
  const positions = products.map((_, position) => position);
  const isPinned = (position: number): boolean => products[position]?.tier === 'pin';
  const pinned = positions.slice(0, FIRST_PRODUCTS).filter(isPinned);
  const share = new Share(Math.max(1, Math.floor(maxShare * FIRST_PRODUCTS)));
  for (const position of pinned) share.take(products[position]?.brand ?? null);
  const others = positions.filter((position) => !isPinned(position));
  const ordered = inOrder(others, { products, share, room: FIRST_PRODUCTS - pinned.length });
  let next = 0;
  return positions.map((position) => (isPinned(position) ? position : ordered[next++]!));
}

/** How many products of each brand are among the first ones. */
class Share {
  private readonly counts = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** False where the brand has its share already. */
  take(brand: string | null): boolean {
    if (brand === null) return true;
    const count = this.counts.get(brand) ?? 0;
    this.counts.set(brand, count + 1);
    return count < this.most;
  }
}

/** `room`: how many of them are among the first products. */
function inOrder(
  positions: readonly number[],
  { products, share, room }: { products: readonly Branded[]; share: Share; room: number },
): number[] {
  const first: number[] = [];
  let waiting: number[] = [];
  let at = 0;
  for (; at < positions.length && first.length < room; at++) {
    const position = positions[at]!;
    const { brand, tier } = products[position]!;
    if (at > 0 && products[positions[at - 1]!]!.tier !== tier) {
      first.push(...waiting);
      waiting = [];
      if (first.length >= room) break;
    }
    (share.take(brand) ? first : waiting).push(position);
  }
  return [...first, ...waiting, ...positions.slice(at)];
}
