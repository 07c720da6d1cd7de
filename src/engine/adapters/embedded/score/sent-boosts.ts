import { featureValue, productFeature, relatedFeature } from '../../../../ranking/vectors/features';
import type { Boosts } from '../../../../ranking/affinity';
import { PackedBoosts } from '../../../../ranking/packed-boosts';
import type { EngineQuery } from '../../../search-engine';
import { nameHash } from '../index/name-table';

/**
 * A shopper's boosts as they cross to the search thread: hashes of the names and two arrays, many times cheaper to copy
 * and to look up than a map of strings.
 */
export interface SentBoosts extends Pick<Boosts, 'strength' | 'maxBoost' | 'prices'> {
  /** The same for searches that are ranked with the same boosts. */
  id: number;
  features: Float64Array;
  featureWeights: Float64Array;
  /** A product's own weight and its `related` one together. */
  products: Float64Array;
  productWeights: Float64Array;
  /** Whole, where names are needed: to explain. */
  named: Boosts | null;
}

/** An engine query as it reaches the thread. */
export type SentQuery = Omit<EngineQuery, 'boosts' | 'until'> & { boosts: SentBoosts | null };

const PRODUCT = productFeature('');
const RELATED = relatedFeature('');

let latestId = 0;
/** A shopper's boosts serve more than one search. */
const alreadySent = new WeakMap<Boosts, SentBoosts>();

export function sendBoosts(boosts: Boosts, explain: boolean): SentBoosts {
  let sent = alreadySent.get(boosts);
  if (!sent) alreadySent.set(boosts, (sent = hashed(boosts)));
  return explain ? { ...sent, named: PackedBoosts.of(boosts).plain() } : sent;
}

function hashed(boosts: Boosts): SentBoosts {
  const { featureWeights, strength, maxBoost, prices } = boosts;
  const features: number[] = [];
  const weights: number[] = [];
  const products = new Map<string, number>();
  for (const [name, weight] of featureWeights) {
    if (name.startsWith(PRODUCT) || name.startsWith(RELATED)) {
      const id = featureValue(name);
      // In the order of the formula (score.ts), so that the sum has the same bits.
      if (!products.has(id))
        products.set(id, (featureWeights.get(PRODUCT + id) ?? 0) + (featureWeights.get(RELATED + id) ?? 0));
    } else {
      features.push(nameHash('f', name));
      weights.push(weight);
    }
  }
  return {
    id: ++latestId,
    strength,
    maxBoost,
    ...(prices ? { prices } : {}),
    features: Float64Array.from(features),
    featureWeights: Float64Array.from(weights),
    products: Float64Array.from(products.keys(), (id) => nameHash('', id)),
    productWeights: Float64Array.from(products.values()),
    named: null,
  };
}
