import { boostKeys, type PersonalTarget } from '../../../../ranking/score';
import { featureKind, featureValue } from '../../../../ranking/vectors/features';
import type { Boosts, PriceTaste } from '../../../../ranking/affinity';
import { functionScore, type Query, type ScoreFunction } from './function-score';

/** Features that weigh nearly the same. A product that has any of them gets the weight, once. */
export interface PersonalGroup {
  field: 'productId' | 'features';
  /** Feature names. */
  features: string[];
  /** Before strength. */
  weight: number;
}

/** Each is looked at for every hit: about 10 ns. */
const MOST_GROUPS = 64;
/** Weights below change no order that anybody would see. */
const LEAST_WEIGHT = 0.001;
const WIDEST = 8;
const STEPS = 16;
/** A product has one of each of these at most, so their groups never count two as one. */
const SINGLE = new Set([
  'product',
  'related',
  'brand',
  'brand@category',
  'brand@leaf',
  'category/1',
  'category/2',
  'category/3',
]);

/** A shopper's boosts serve more than one search. */
const alreadyGrouped = new WeakMap<Boosts, readonly PersonalGroup[]>();

export function personalGroups(boosts: Boosts): readonly PersonalGroup[] {
  let groups = alreadyGrouped.get(boosts);
  if (!groups) alreadyGrouped.set(boosts, (groups = group(boosts.featureWeights)));
  return groups;
}

/** Of one kind, strongest first. */
type KindWeights = [feature: string, weight: number][];

/** As fine as the number of groups allows. */
function group(featureWeights: ReadonlyMap<string, number>): PersonalGroup[] {
  const kinds = byKind(featureWeights);
  const groups = (width: number): PersonalGroup[] =>
    [...kinds].flatMap(([kind, weights]) => split(kind, weights, width));
  const finest = groups(0);
  if (finest.length <= MOST_GROUPS) return finest;
  let [fine, coarse] = [0, WIDEST];
  for (let step = 0; step < STEPS; step++) {
    const middle = (fine + coarse) / 2;
    if (groups(middle).length > MOST_GROUPS) fine = middle;
    else coarse = middle;
  }
  return groups(coarse);
}

function byKind(featureWeights: ReadonlyMap<string, number>): Map<string, KindWeights> {
  const kinds = new Map<string, KindWeights>();
  for (const [feature, weight] of featureWeights) {
    if (weight < LEAST_WEIGHT) continue;
    const kind = kindOf(feature);
    const known = kinds.get(kind) ?? [];
    kinds.set(kind, known);
    known.push([feature, weight]);
  }
  return kinds;
}

/** Categories by their level: a product has one of each. */
function kindOf(feature: string): string {
  const kind = featureKind(feature);
  return kind === 'category' ? `category/${feature.split('/').length}` : kind;
}

/** One that may still grow. */
interface OpenGroup {
  features: string[];
  highest: number;
  sum: number;
  /** What a feature of the same weight and scope would be counted as one with. */
  last: string;
}

/**
 * `width`: by how much the weights of one group may differ. Where a product can have several of a kind their errors add up, and a
 * group counts two of its features as one: so strong ones stand alone, and those that weigh exactly the same stand apart: they came
 * from the same events, and so from the same products.
 */
function split(kind: string, featureWeights: KindWeights, width: number): PersonalGroup[] {
  const single = SINGLE.has(kind);
  const [widest, heaviest] = single ? [width, Number.POSITIVE_INFINITY] : [width / 4, width * 8];
  const groups: OpenGroup[] = [];
  let open: OpenGroup[] = [];
  for (const [feature, weight] of featureWeights) {
    const last = `${weight} ${feature.slice(feature.lastIndexOf('@'))}`;
    open = open.filter(({ highest, sum }) => highest - weight <= widest && sum + weight <= heaviest);
    const fitting = open.find((candidate) => single || candidate.last !== last);
    if (fitting) {
      fitting.features.push(feature);
      fitting.sum += weight;
      fitting.last = last;
    } else {
      const begun = { features: [feature], highest: weight, sum: weight, last };
      groups.push(begun);
      open.push(begun);
    }
  }
  const field = kind === 'product' || kind === 'related' ? 'productId' : 'features';
  return groups.map(({ features, sum }) => ({ field, features, weight: sum / features.length }));
}

/** A query's score times the personal factor of docs/ranking.md. */
export function withPersonal(query: Query, boosts: Boosts): Query {
  const share = boosts.strength / 100;
  const functions: ScoreFunction[] = personalGroups(boosts).map(({ field, features, weight }) => ({
    filter: { terms: { [field]: field === 'productId' ? features.map(featureValue) : features } },
    weight: share * weight,
  }));
  const prices = [...(boosts.prices ?? [])].map(([category, taste]) => priceFunction(category, taste, share));
  return functionScore(query, [{ weight: 1 }, ...functions, ...prices], { mode: 'sum', most: boosts.maxBoost });
}

/** The bell of `priceWeight` over the logarithm of the price. */
function priceFunction(category: string, { mean, spread, add }: PriceTaste, share: number): ScoreFunction {
  return {
    filter: { bool: { filter: [{ term: { topCategory: category } }, { exists: { field: 'priceLog' } }] } },
    gauss: { priceLog: { origin: mean, scale: spread, decay: Math.exp(-0.5) } },
    weight: share * add,
  };
}

/** The boosts as the groups apply them to one product: what its explanation adds up to. */
export function groupedBoosts(boosts: Boosts, target: PersonalTarget): Boosts {
  const own = new Set(boostKeys(target.id, target.features));
  const featureWeights = new Map<string, number>();
  for (const { features, weight } of personalGroups(boosts)) {
    const seen = features.find((feature) => own.has(feature));
    if (seen !== undefined) featureWeights.set(seen, weight);
  }
  const { strength, maxBoost, evidence, prices, affinities } = boosts;
  return { strength, maxBoost, evidence, ...(prices ? { prices } : {}), affinities, featureWeights };
}
