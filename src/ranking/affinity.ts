import { topLevelOf } from './vectors/category-path';
import { featureKind, featureValue, productFeature, relatedFeature } from './vectors/features';
import { Interest, isInterest } from './vectors/interest';
import {
  type BehaviourVector,
  decayWeights,
  hasBought,
  latestProducts,
  type PriceMoments,
  priceMoments,
  priceTaste,
} from './vectors/vector';
import type { ProductStats } from './learning/learn';
import { type BoostedKind, boostedKinds, type BoostTemplate } from './template/template';

/**
 * A shopper's vector -> what each feature adds to the personal factor (docs/ranking.md). Linear in the features and never
 * negative, so that any engine can apply it by intersecting a product's features with `featureWeights` and summing.
 */
export interface Boosts {
  /** 0 to 100. */
  strength: number;
  maxBoost: number;
  /** Feature -> its weight, importance, curve and shrinking applied; strongest first, at most `MOST_FEATURE_WEIGHTS`. */
  readonly featureWeights: ReadonlyMap<string, number>;
  /** Feature -> affinity before importance, for explanations. */
  readonly affinities: ReadonlyMap<string, number>;
  /** Only where the template gives price any importance: top category -> bell over ln price. */
  prices?: Map<string, PriceTaste>;
  /** Known evidence, a bought item being 1; 0: nothing to personalize by. */
  evidence: number;
}

/** A bell over ln price. */
export interface PriceTaste {
  mean: number;
  spread: number;
  add: number;
}

export const MOST_FEATURE_WEIGHTS = 4096;
/** Latest products that `related` spreads from; more adds noise (docs/ranking.md: 64 to 128). */
export const RELATED_FROM = 128;
/** ln-price distance within which prices feel alike. */
const LEAST_SPREAD = 0.25;

/** The learned numbers a vector needs, read in one batch by `requiredStats`. */
export interface StatsLookup {
  /** The store's share of a feature in its scope; undefined: not learned. */
  share(feature: string): number | undefined;
  product(productId: string): ProductStats | undefined;
}

/**
 * Keys of learned statistics: a feature's own name -> its share, `product:<id>` -> ProductStats (products have no share).
 * No prefix: a vector's keys serve as they are, and building half a thousand strings took longer than reading them.
 */
export const shareKey = (feature: string): string => feature;
export const productStatsKey = (productId: string): string => productFeature(productId);

/** Learned keys these vectors need under a template: what to read before `buildBoosts`. */
export function requiredStats(vectors: readonly BehaviourVector[], template: BoostTemplate): string[] {
  const rules = activeRules(template);
  const keys = vectors.flatMap((vector) =>
    Object.keys(vector.cells).filter((feature) => {
      const kind = featureKind(feature);
      return kind === 'product' || rules.get(kind)?.curve === 'lift' || (rules.has(kind) && isInterest(feature));
    }),
  );
  return vectors.length > 1 ? [...new Set(keys)] : keys;
}

export interface BoostsRequest {
  /** A user's, a device's, or both: evidence adds up. */
  vectors: readonly BehaviourVector[];
  template: BoostTemplate;
  stats: StatsLookup;
  now: number;
}

export function buildBoosts(request: BoostsRequest): Boosts {
  const { vectors, template, now } = request;
  const shopper = mergeWeights(vectors, template, now);
  const ranked = [...ownAffinities(shopper, request), ...relatedAffinities(shopper, request)];
  ranked.sort((a, b) => b.weight - a.weight || (a.feature < b.feature ? -1 : 1));
  const featureWeights = new Map<string, number>();
  const affinities = new Map<string, number>();
  for (const { feature, affinity, weight } of ranked.slice(0, MOST_FEATURE_WEIGHTS)) {
    featureWeights.set(feature, weight);
    affinities.set(feature, affinity);
  }
  const prices = priceBells(request, shopper.n);
  const { strength, maxBoost } = template;
  return { strength, maxBoost, featureWeights, affinities, evidence: shopper.n, ...(prices ? { prices } : {}) };
}

interface MergedEvidence {
  n: number;
  weights: Map<string, number>;
  /** Top category -> evidence in it, as far as looked up. */
  scopes: Map<string, number>;
}

export type AffinityRule = BoostTemplate['affinities'][BoostedKind];

interface Affinity {
  feature: string;
  affinity: number;
  /** What the feature adds to the personal factor. */
  weight: number;
}

function mergeWeights(vectors: readonly BehaviourVector[], template: BoostTemplate, now: number): MergedEvidence {
  const [first, ...others] = vectors.map((vector) => decayWeights(vector, template.evidence, now));
  const merged = { n: 0, weights: new Map<string, number>(), ...first, scopes: new Map<string, number>() };
  for (const { n, weights } of others) {
    merged.n += n;
    for (const [feature, weight] of weights) merged.weights.set(feature, (merged.weights.get(feature) ?? 0) + weight);
  }
  return merged;
}

/** Rules by kind of feature; those of no importance are left out. */
function activeRules(template: BoostTemplate): Map<string, AffinityRule> {
  const all = boostedKinds.map((kind): [string, AffinityRule] => [kind, template.affinities[kind]]);
  return new Map(all.filter(([, rule]) => rule.importance > 0));
}

/** Trust in what is known: n/(n+k), so that a first event does not carry the whole ranking. */
export function trust(template: BoostTemplate, kind: BoostedKind, n: number): number {
  return template.shrink.except.includes(kind) ? 1 : n / (n + template.shrink.k);
}

/** Evidence a feature is compared against: all in its top category for `x@category`, else everything. */
function scopeEvidence(feature: string, shopper: MergedEvidence): number {
  const at = feature.lastIndexOf('@');
  if (at < feature.indexOf(':')) return shopper.n;
  const top = topLevelOf(feature.slice(at + 1));
  let evidence = shopper.scopes.get(top);
  if (evidence === undefined) shopper.scopes.set(top, (evidence = shopper.weights.get(`category:${top}`) ?? 0));
  return evidence;
}

/** How much more of it this shopper takes than the store's shoppers do, shrunk by k and never below 0. */
export function lift(evidence: { x: number; n: number }, share: number, k: number): number {
  if (!(share > 0)) return 0;
  return Math.max(0, Math.log((evidence.x + k * share) / ((evidence.n + k) * share)));
}

function ownAffinities(shopper: MergedEvidence, { vectors, template, stats, now }: BoostsRequest): Affinity[] {
  const found: Affinity[] = [];
  const rules = activeRules(template);
  const interest = new Interest(vectors, template, now);
  shopper.weights.forEach((x, feature) => {
    const kind = featureKind(feature);
    const rule = rules.get(kind);
    if (!rule) return;
    // A scope is never smaller than what is in it, even where its own cell was cut.
    const affinity =
      rule.curve === 'lift'
        ? lift({ x, n: Math.max(x, scopeEvidence(feature, shopper)) }, stats.share(feature) ?? 0, rule.k)
        : curved(x, rule);
    // A look is no purchase: only what was bought can be bought again.
    const isBought = kind === 'product' && vectors.some((vector) => hasBought(vector, feature));
    const again = isBought ? (stats.product(featureValue(feature))?.repurchase ?? 1) : 1;
    const taste = trust(template, kind as BoostedKind, shopper.n) * affinity * again;
    const shown = interest.of(feature, isInterest(feature) ? (stats.share(feature) ?? 0) : 0);
    const weight = rule.importance * (taste + shown);
    if (weight > 0) found.push({ feature, affinity: affinity + shown, weight });
  });
  return found;
}

export const curved = (x: number, { curve, k }: AffinityRule): number =>
  curve === 'saturate' ? x / (x + k) : Math.log1p(x);

/** Of evidence `from` in products, the affinity for one that their buyers buy `ratio` times as readily in all. */
export function relatedAffinity(ratio: number, from: number, rule: AffinityRule): number {
  if (rule.curve !== 'lift') return curved(ratio, rule);
  return ratio > from ? Math.log((ratio + rule.k) / (from + rule.k)) : 0;
}

/**
 * Products that people who bought the shopper's latest ones also bought. A learned weight r(p,q) says how many times its store
 * share q is bought by buyers of p, so Σ x_p·r(p,q) stands for x_q / p_q and lift follows without looking up q.
 */
function relatedAffinities(shopper: MergedEvidence, { vectors, template, stats }: BoostsRequest): Affinity[] {
  const rule = template.affinities.related;
  if (rule.importance === 0) return [];
  const pull = new Map<string, number>();
  let from = 0;
  for (const id of new Set(vectors.flatMap((vector) => latestProducts(vector, RELATED_FROM)))) {
    const x = shopper.weights.get(productFeature(id)) ?? 0;
    from += x;
    for (const pair of stats.product(id)?.related ?? []) pull.set(pair[0], (pull.get(pair[0]) ?? 0) + x * pair[1]);
  }
  const found: Affinity[] = [];
  const factor = rule.importance * trust(template, 'related', shopper.n);
  pull.forEach((ratio, id) => {
    const affinity = relatedAffinity(ratio, from, rule);
    if (affinity > 0) found.push({ feature: relatedFeature(id), affinity, weight: factor * affinity });
  });
  return found;
}

function priceBells({ vectors, template, now }: BoostsRequest, n: number): Boosts['prices'] {
  if (template.affinities.price.importance === 0) return undefined;
  const bells = new Map<string, PriceTaste>();
  for (const vector of vectors) {
    for (const moments of priceMoments(vector, template.evidence, now)) {
      const bell = bells.has(moments.category) ? null : priceBell(moments, template, n);
      if (bell) bells.set(moments.category, bell);
    }
  }
  return bells;
}

/** `n`: all of the shopper's evidence. Null: nothing is known of prices. */
export function priceBell(moments: PriceMoments, { affinities, shrink }: BoostTemplate, n: number): PriceTaste | null {
  const taste = priceTaste(moments);
  if (!taste) return null;
  const add = affinities.price.importance * (n / (n + shrink.k)) * (moments.weight / (moments.weight + shrink.k));
  return { mean: taste.mean, spread: Math.max(LEAST_SPREAD, taste.spread), add };
}
