import {
  curved,
  lift,
  priceBell,
  type PriceTaste,
  relatedAffinity,
  RELATED_FROM,
  type StatsLookup,
  trust,
} from '../affinity';
import { topLevelOf } from '../vectors/category-path';
import { EVIDENCE_KINDS, type EvidenceKind } from '../vectors/evidence';
import { featureKind, featureValue, productFeature } from '../vectors/features';
import { interestIn, isInterest } from '../vectors/interest';
import { boostKeys, topCategoryOf } from '../score';
import { type BoostedKind, boostedKinds, type BoostTemplate } from '../template/template';
import {
  type BehaviourVector,
  decayWeights,
  hasBought,
  hasEvidenceOf,
  latestProducts,
  priceMoments,
} from '../vectors/vector';

/** Decayed evidence by kind, in the order of EVIDENCE_KINDS: a template weighs it, so it is kept apart. */
type ByKind = Float64Array;

/** A feature of the shopper that some product of a search has. */
interface KnownFeature {
  kind: BoostedKind;
  /** Of a `related` one, how many times as readily it is bought. */
  own: ByKind;
  /** Of its top category; null: its scope is the whole shop. */
  scope: ByKind | null;
  share: number;
  repurchase: number;
  isInterest: boolean;
}

/** Moments of ln price in one top category. */
interface KnownPrices {
  weight: ByKind;
  sum: ByKind;
  squares: ByKind;
}

/** A shopper at one moment, as far as the products of one search are concerned: what `buildBoosts` needs, before any template. */
export interface KnownEvidence {
  total: ByKind;
  /** In the latest products, which `related` spreads from. */
  latest: ByKind;
  features: KnownFeature[];
  /** Of each product, which of the features it has. */
  touched: readonly (readonly number[])[];
  /** By top category, of each vector that knows of it: the first that knows enough under a template counts. */
  prices: (readonly KnownPrices[])[];
  /** Of each product, which of the prices are those of its category; -1: none. */
  priced: readonly number[];
}

export interface KnownRequest {
  vectors: readonly BehaviourVector[];
  stats: StatsLookup;
  now: number;
  products: readonly { id: string; features: readonly string[] }[];
}

export function knownEvidence(request: KnownRequest): KnownEvidence {
  const shopper = new ShopperEvidence(request);
  const features: KnownFeature[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (name: string): number => {
    const known = indexes.get(name);
    if (known !== undefined) return known;
    const feature = shopper.feature(name);
    const index = feature ? features.push(feature) - 1 : -1;
    indexes.set(name, index);
    return index;
  };
  const touched = request.products.map((one) =>
    boostKeys(one.id, one.features)
      .map(indexOf)
      .filter((index) => index >= 0),
  );
  return { total: shopper.total, latest: shopper.latest, features, touched, ...knownPrices(request) };
}

function knownPrices({ vectors, now, products }: KnownRequest): Pick<KnownEvidence, 'prices' | 'priced'> {
  const tops = products.map(({ features }) => topCategoryOf(features));
  const categories = [...new Set(tops)].filter((top) => top !== undefined);
  const byCategory = vectors.map((vector) => pricesByKind(vector, now));
  const prices = categories.map((category) => byCategory.flatMap((known) => known.get(category) ?? []));
  const indexes = new Map<string | undefined, number>(
    categories.map((category, index) => [category, prices[index]!.length > 0 ? index : -1]),
  );
  return { prices, priced: tops.map((top) => indexes.get(top) ?? -1) };
}

function pricesByKind(vector: BehaviourVector, now: number): Map<string, KnownPrices> {
  const found = new Map<string, KnownPrices>();
  EVIDENCE_KINDS.forEach((kind, index) => {
    for (const { category, weight, sum, squares } of priceMoments(vector, only(kind), now)) {
      let known = found.get(category);
      if (!known) found.set(category, (known = { weight: none(), sum: none(), squares: none() }));
      [known.weight[index], known.sum[index], known.squares[index]] = [weight, sum, squares];
    }
  });
  return found;
}

const none = (): ByKind => new Float64Array(EVIDENCE_KINDS.length);

class ShopperEvidence {
  readonly total = none();
  readonly latest = none();
  private readonly weights = new Map<string, ByKind>();
  private readonly pull = new Map<string, ByKind>();

  constructor(private readonly request: KnownRequest) {
    const { vectors, stats, now } = request;
    for (const vector of vectors) {
      EVIDENCE_KINDS.forEach((kind, index) => {
        if (!hasEvidenceOf(vector, [kind])) return;
        const { n, weights } = decayWeights(vector, only(kind), now);
        this.total[index] = (this.total[index] ?? 0) + n;
        for (const [feature, weight] of weights) addTo(this.weights, feature, { index, weight });
      });
    }
    for (const id of new Set(vectors.flatMap((vector) => latestProducts(vector, RELATED_FROM)))) {
      const own = this.weights.get(productFeature(id)) ?? none();
      const related = stats.product(id)?.related ?? [];
      own.forEach((weight, index) => {
        if (weight === 0) return;
        this.latest[index] = (this.latest[index] ?? 0) + weight;
        for (const [other, ratio] of related) addTo(this.pull, other, { index, weight: weight * ratio });
      });
    }
  }

  feature(name: string): KnownFeature | null {
    const kind = boostedKinds.find((one) => one === featureKind(name));
    const own = kind === 'related' ? this.pull.get(featureValue(name)) : this.weights.get(name);
    if (!kind || !own) return null;
    const { vectors, stats } = this.request;
    const isBought = kind === 'product' && vectors.some((vector) => hasBought(vector, name));
    const at = name.lastIndexOf('@');
    const isScoped = at >= name.indexOf(':');
    return {
      kind,
      own,
      scope: isScoped ? (this.weights.get(`category:${topLevelOf(name.slice(at + 1))}`) ?? none()) : null,
      share: stats.share(name) ?? 0,
      repurchase: isBought ? (stats.product(featureValue(name))?.repurchase ?? 1) : 1,
      isInterest: isInterest(name),
    };
  }
}

function only(kind: EvidenceKind): Record<EvidenceKind, number> {
  return { transaction: 0, cart: 0, click: 0, product: 0, category: 0, search: 0, [kind]: 1 };
}

function addTo(all: Map<string, ByKind>, name: string, { index, weight }: { index: number; weight: number }): void {
  let known = all.get(name);
  if (!known) all.set(name, (known = none()));
  known[index] = (known[index] ?? 0) + weight;
}

/** What each known feature adds under a template: the weights of `buildBoosts`. */
export function weighFeatures({ total, latest, features }: KnownEvidence, template: BoostTemplate): Float64Array {
  const worth = Float64Array.from(EVIDENCE_KINDS, (kind) => template.evidence[kind]);
  const interestWorth = worth.map((one, index) => (INTEREST.has(EVIDENCE_KINDS[index]!) ? one : 0));
  const n = dot(total, worth);
  const from = dot(latest, worth);
  const whole = dot(total, interestWorth);
  const trusts = new Map(boostedKinds.map((kind) => [kind, trust(template, kind, n)]));
  return Float64Array.from(features, ({ kind, own, scope, share, repurchase, isInterest: hasInterest }) => {
    const rule = template.affinities[kind];
    const x = dot(own, worth);
    if (rule.importance === 0 || x === 0) return 0;
    const trusted = trusts.get(kind) ?? 0;
    if (kind === 'related') return rule.importance * trusted * relatedAffinity(x, from, rule);
    const around = Math.max(x, scope ? dot(scope, worth) : n);
    const affinity = rule.curve === 'lift' ? lift({ x, n: around }, share, rule.k) : curved(x, rule);
    const shown = hasInterest ? interestIn({ own: dot(own, interestWorth), whole, share }, template.interest) : 0;
    return rule.importance * (trusted * affinity * repurchase + shown);
  });
}

/** The tastes in price of `buildBoosts`, by the indexes of `priced`. */
export function weighPrices({ total, prices }: KnownEvidence, template: BoostTemplate): (PriceTaste | null)[] {
  if (template.affinities.price.importance === 0) return [];
  const worth = Float64Array.from(EVIDENCE_KINDS, (kind) => template.evidence[kind]);
  const n = dot(total, worth);
  return prices.map((known) => {
    for (const { weight, sum, squares } of known) {
      const moments = { weight: dot(weight, worth), sum: dot(sum, worth), squares: dot(squares, worth) };
      const bell = priceBell(moments, template, n);
      if (bell) return bell;
    }
    return null;
  });
}

const INTEREST: ReadonlySet<EvidenceKind> = new Set(['category', 'search']);

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += one[index]! * other[index]!;
  return sum;
}
