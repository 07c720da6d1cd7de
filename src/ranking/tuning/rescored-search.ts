import { aboutFactor } from '../about';
import { limitBrands, LOOKED_THROUGH } from '../brand-share';
import { qualityFactor, qualityFormula } from '../quality';
import { personalFactor } from '../score';
import type { SignalData } from '../signal-numbers';
import type { BoostTemplate } from '../template/template';
import type { TemplateContext } from '../template/template-context';
import { type KnownEvidence, weighFeatures } from './known-evidence';

/** A product that a search found, with all that its score is made of before a template weighs it. */
export interface FoundProduct {
  id: string;
  brand: string | null;
  signals: SignalData;
  /** Under the fields and text settings of the template it was found with. */
  text: number;
  /** Steps behind what was asked for. */
  behind: number;
  /** Of the store's rules. */
  rules: number;
  /** What its taste in price adds, under the template it was found with. */
  price: number;
  /** Tiers, and steps of partial matches: nothing lifts a product over one. */
  tier: number;
  /** The place where a rule holds it, from 1; null: none does. */
  pin: number | null;
}

/** A search, to be ordered with any template without being searched again. */
export interface FoundSearch {
  now: number;
  context: TemplateContext;
  products: readonly FoundProduct[];
  /** Null: nobody is known. */
  known: KnownEvidence | null;
}

/** The products in the order of docs/ranking.md, as indexes: the same arithmetic, on numbers that were collected once. */
export function rescored({ now, products, known }: FoundSearch, template: BoostTemplate): number[] {
  const scores = scoresOf({ now, products, known }, template);
  const free = products.flatMap(({ pin }, index) => (pin === null ? index : []));
  free.sort((a, b) => {
    const higherTier = products[b]!.tier - products[a]!.tier;
    return higherTier || scores[b]! - scores[a]! || (products[a]!.id < products[b]!.id ? -1 : 1);
  });
  const pinned = products.flatMap(({ pin }, index) => (pin === null ? [] : { index, pin }));
  for (const { index, pin } of pinned.sort((a, b) => a.pin - b.pin)) free.splice(pin - 1, 0, index);
  return withinShares(free, products, template.maxShare);
}

export function scoresOf(
  { now, products, known }: Pick<FoundSearch, 'now' | 'products' | 'known'>,
  template: BoostTemplate,
): Float64Array {
  const formula = qualityFormula(template, now);
  const weights = known && template.strength > 0 ? weighFeatures(known, template) : null;
  return Float64Array.from(products, ({ text, behind, rules, price, signals }, index) => {
    let sum = 0;
    if (weights) for (const feature of known?.touched[index] ?? []) sum += weights[feature]!;
    const personal = weights ? personalFactor(template, sum + price) : 1;
    return text * aboutFactor(template, behind) * qualityFactor(formula, signals) * personal * rules;
  });
}

function withinShares(
  order: number[],
  products: readonly FoundProduct[],
  maxShare: BoostTemplate['maxShare'],
): number[] {
  if (maxShare === null || maxShare >= 1) return order;
  const first = order.slice(0, LOOKED_THROUGH);
  const branded = first.map((index) => {
    const { brand, tier, pin } = products[index]!;
    return { brand, tier: pin === null ? tier : 'pin' };
  });
  return [...limitBrands(branded, maxShare).map((position) => first[position]!), ...order.slice(LOOKED_THROUGH)];
}
