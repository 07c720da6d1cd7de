import { aboutFactor } from '../about';
import { type Above, topSlots } from '../../shared/top-slots';
import { limitBrands, LOOKED_THROUGH } from '../brand-share';
import { qualityFactor, qualityFormula } from '../quality';
import { personalFactor, tasteWeight } from '../score';
import type { SignalData } from '../signal-numbers';
import type { BoostTemplate } from '../template/template';
import type { TemplateContext } from '../template/template-context';
import { type KnownEvidence, weighFeatures, weighPrices } from './known-evidence';

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

/**
 * The first `size` products in the order of docs/ranking.md, as indexes: the same arithmetic, on numbers that were collected once. Those behind them
 * are not sorted.
 */
export function rescored(
  { now, products, known }: FoundSearch,
  template: BoostTemplate,
  size = products.length,
): number[] {
  const scores = scoresOf({ now, products, known }, template);
  const sorted = isLimited(template.maxShare) ? Math.max(size, LOOKED_THROUGH) : size;
  const order = [...topSlots(indexesOf(products, false), sorted, above(products, scores))];
  const byPin = (a: number, b: number): number => products[a]!.pin! - products[b]!.pin!;
  for (const index of indexesOf(products, true).sort(byPin)) order.splice(products[index]!.pin! - 1, 0, index);
  return withinShares(order, products, template.maxShare).slice(0, size);
}

/** Of those that a rule holds in a place, or of the others. */
function indexesOf(products: readonly FoundProduct[], isPinned: boolean): Uint32Array {
  const indexes = new Uint32Array(products.length);
  let count = 0;
  for (let index = 0; index < products.length; index++) {
    if ((products[index]!.pin !== null) === isPinned) indexes[count++] = index;
  }
  return indexes.subarray(0, count);
}

/** Tier, then score, then product id. */
function above(products: readonly FoundProduct[], scores: Float64Array): Above {
  return (a, b) => {
    const [first, second] = [products[a]!, products[b]!];
    if (first.tier !== second.tier) return first.tier > second.tier;
    return scores[a] === scores[b] ? first.id < second.id : scores[a]! > scores[b]!;
  };
}

export function scoresOf(
  { now, products, known }: Pick<FoundSearch, 'now' | 'products' | 'known'>,
  template: BoostTemplate,
): Float64Array {
  const formula = qualityFormula(template, now);
  const weights = known && template.strength > 0 ? weighFeatures(known, template) : null;
  const tastes = known && weights ? weighPrices(known, template) : [];
  const scores = new Float64Array(products.length);
  for (let index = 0; index < products.length; index++) {
    const { text, behind, rules, signals } = products[index]!;
    let sum = 0;
    if (weights) for (const feature of known?.touched[index] ?? []) sum += weights[feature]!;
    const priced = known?.priced[index] ?? -1;
    const taste = priced < 0 ? undefined : tastes[priced];
    if (taste && signals.price > 0) sum += tasteWeight(taste, Math.log(signals.price));
    const personal = weights ? personalFactor(template, sum) : 1;
    scores[index] = text * aboutFactor(template, behind) * qualityFactor(formula, signals) * personal * rules;
  }
  return scores;
}

const isLimited = (maxShare: BoostTemplate['maxShare']): maxShare is number => maxShare !== null && maxShare < 1;

function withinShares(
  order: number[],
  products: readonly FoundProduct[],
  maxShare: BoostTemplate['maxShare'],
): number[] {
  if (!isLimited(maxShare)) return order;
  const first = order.slice(0, LOOKED_THROUGH);
  const branded = first.map((index) => {
    const { brand, tier, pin } = products[index]!;
    return { brand, tier: pin === null ? tier : 'pin' };
  });
  return [...limitBrands(branded, maxShare).map((position) => first[position]!), ...order.slice(LOOKED_THROUGH)];
}
