import { featureKind, featureValue, productFeature, relatedFeature } from './vectors/features';
import type { Boosts, PriceTaste } from './affinity';
import { topLevelOf } from './vectors/category-path';
import type { Factor, Quality } from './quality';

/** score = text × about × quality × personal, with what it is made of (docs/ranking.md, contract 4.7). */

export interface PersonalBoost {
  name: 'personal';
  factor: number;
  /** True where `maxBoost` acted; the parts sum to the factor before it, less 1. */
  clamped: boolean;
  /** `weight`: the shopper's affinity for it, before importance. `add`: what it adds to the personal factor. */
  parts: { name: string; weight: number; add: number }[];
}

export interface Explanation {
  score: number;
  text: number;
  boosts: (Factor | PersonalBoost)[];
}

/** What of a product the personal factor looks at. `features` with or without `product:ID` and `related:ID`. */
export interface PersonalTarget {
  id: string;
  features: readonly string[];
  topCategory?: string;
  price?: number;
}

/** The scope of a product's tastes in price: the top level of its first category. */
export function topCategoryOf(features: readonly string[]): string | undefined {
  const category = features.find((feature) => featureKind(feature) === 'category');
  return category === undefined ? undefined : topLevelOf(featureValue(category));
}

/** Keys of `featureWeights` that can touch a product: what an engine should index. */
export function boostKeys(productId: string, features: readonly string[]): string[] {
  return [...new Set([productFeature(productId), relatedFeature(productId), ...features])];
}

/** A taste in price is no feature, but a bell around the shopper's mean of ln price in a category. */
export function priceWeight(
  boosts: Pick<Boosts, 'prices'>,
  target: Pick<PersonalTarget, 'price' | 'topCategory'>,
): number {
  if (!boosts.prices || target.price === undefined || target.topCategory === undefined || target.price <= 0) return 0;
  const taste = boosts.prices.get(target.topCategory);
  return taste ? tasteWeight(taste, Math.log(target.price)) : 0;
}

/** What a taste in price adds to a product of its category. */
export function tasteWeight({ mean, spread, add }: PriceTaste, lnPrice: number): number {
  const away = (lnPrice - mean) / spread;
  return add * Math.exp(-0.5 * away * away);
}

/** Sum of feature weights -> the personal factor. Engines that sum by themselves end here. */
export function personalFactor(boosts: Pick<Boosts, 'strength' | 'maxBoost'>, sum: number): number {
  return Math.min(boosts.maxBoost, 1 + (boosts.strength / 100) * sum);
}

/** The weights that touch a product are summed in the order of its keys, so that the same product always gives the same bits. */
function personalBoost(boosts: Boosts, target: PersonalTarget): PersonalBoost {
  const share = boosts.strength / 100;
  const parts: PersonalBoost['parts'] = [];
  let sum = 0;
  for (const name of boostKeys(target.id, target.features)) {
    const weight = boosts.featureWeights.get(name);
    if (weight === undefined) continue;
    sum += weight;
    parts.push({ name, weight: boosts.affinities.get(name) ?? weight, add: share * weight });
  }
  const price = priceWeight(boosts, target);
  if (price > 0) parts.push({ name: 'price', weight: price, add: share * price });
  sum += price;
  const factor = personalFactor(boosts, sum);
  return { name: 'personal', factor, clamped: factor < 1 + share * sum, parts };
}

interface ScoredHit {
  /** Of rules of the store that acted on it. */
  rules?: readonly Factor[];
  text: number;
  /** `aboutFactor` of the product. */
  about: number;
  quality: Quality;
  /** Null: the neutral order. */
  boosts: Boosts | null;
  target: PersonalTarget;
}

/** The score within a tier, with its reasons: `score` is `text` times the factor of every entry. */
export function explainHit({ text, about, quality, boosts, target, rules = [] }: ScoredHit): Explanation {
  const personal: PersonalBoost = boosts
    ? personalBoost(boosts, target)
    : { name: 'personal', factor: 1, clamped: false, parts: [] };
  const ruled = rules.reduce((product, { factor }) => product * factor, 1);
  const score = text * about * quality.factor * personal.factor * ruled;
  return { score, text, boosts: [{ name: 'about', factor: about }, ...quality.factors, personal, ...rules] };
}
