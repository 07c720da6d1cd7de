import type { Rule, Scope } from './merchandise.ts';
import type { Scored } from '../../ranking/score-parts.ts';

/** What is to happen with a product. */
export type Change = { type: 'pin'; position: number } | { type: 'hide' } | { type: 'boost' | 'bury'; factor: number };

export type Draft = ReadonlyMap<string, Change>;

/** From the highest on; no product passes one of a tier above its own. */
const TIERS = ['pin', 'exact', 'all', 'some'];
const tierOf = ({ tier }: Scored): number => {
  const place = TIERS.indexOf(tier ?? 'all');
  return place < 0 ? TIERS.length : place;
};

export const FACTORS = { boost: 2, bury: 0.5 } as const;

/** The order as the rules of a draft will make it, as far as these products tell it. */
export function drafted(products: readonly Scored[], draft: Draft): Scored[] {
  const scoreOf = ({ id, score }: Scored): number => {
    const change = draft.get(id);
    return change && 'factor' in change ? score * change.factor : score;
  };
  const typeOf = ({ id }: Scored): string | undefined => draft.get(id)?.type;
  const order = products
    .filter((product) => typeOf(product) !== 'hide' && typeOf(product) !== 'pin')
    .map((product, place) => ({ product, place }))
    .sort((a, b) => {
      const tiers = tierOf(a.product) - tierOf(b.product);
      // Nothing is sorted anew where no factor was given: ties and what the service decides stay as they are.
      const both = draft.size > 0 ? scoreOf(b.product) - scoreOf(a.product) : 0;
      return tiers || both || a.place - b.place;
    })
    .map(({ product }) => product);
  for (const { product, position } of pinsOf(products, draft)) order.splice(position - 1, 0, product);
  return order;
}

function pinsOf(products: readonly Scored[], draft: Draft): { product: Scored; position: number }[] {
  const pins = products.flatMap((product) => {
    const change = draft.get(product.id);
    return change?.type === 'pin' ? [{ product, position: change.position }] : [];
  });
  return pins.sort((a, b) => a.position - b.position);
}

/** The draft with a product at another place, from 1; what is pinned behind it keeps its order. */
export function pinnedAt(draft: Draft, id: string, position: number): Draft {
  const next = new Map(draft);
  next.set(id, { type: 'pin', position: Math.max(1, position) });
  return next;
}

/** A rule for each place that is pinned, and one for each other kind of change. */
export function rulesOf(draft: Draft, scope: Scope, prefix: string): Rule[] {
  const changes = [...draft];
  const pins = changes.flatMap(([id, change]): Rule[] =>
    change.type === 'pin'
      ? [
          {
            id: `${prefix}-pin-${change.position}-${id}`,
            type: 'pin',
            ...scope,
            products: [id],
            position: change.position,
          },
        ]
      : [],
  );
  const others = (['hide', 'boost', 'bury'] as const).flatMap((type): Rule[] => {
    const products = changes.filter(([, change]) => change.type === type).map(([id]) => id);
    if (products.length === 0) return [];
    return [
      { id: `${prefix}-${type}`, type, ...scope, products, ...(type === 'hide' ? {} : { factor: FACTORS[type] }) },
    ];
  });
  return [...pins, ...others];
}
