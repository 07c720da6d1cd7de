import { featureValue, productFeature, relatedFeature } from '../../../../catalog/features';
import type { Boosts } from '../../../ranking/affinity';
import { PackedBoosts } from '../../../ranking/packed-boosts';
import { nameHash } from './name-table';

/**
 * A shopper's boosts as they cross to the search thread: hashes of the names and two arrays, many times cheaper to copy
 * and to look up than a map of strings.
 */
export interface SentBoosts extends Pick<Boosts, 'strength' | 'maxBoost'> {
  /** The same for searches that are ranked with the same boosts. */
  id: number;
  features: Float64Array;
  featureAdds: Float64Array;
  /** A product's own add and its `related` one together. */
  products: Float64Array;
  productAdds: Float64Array;
  /** Whole, where names are needed: to explain, or for a taste in prices. */
  named: Boosts | null;
}

const PRODUCT = productFeature('');
const RELATED = relatedFeature('');

export const featureHash = (name: string): number => nameHash('f', name);
export const productHash = (id: string): number => nameHash('', id);

let latestId = 0;
/** A shopper's boosts serve more than one search. */
const alreadySent = new WeakMap<Boosts, SentBoosts>();

export function sendBoosts(boosts: Boosts, explain: boolean): SentBoosts {
  let sent = alreadySent.get(boosts);
  if (!sent) alreadySent.set(boosts, (sent = hashed(boosts)));
  return { ...sent, named: explain || boosts.prices ? PackedBoosts.of(boosts).plain() : null };
}

function hashed(boosts: Boosts): SentBoosts {
  const { adds } = boosts;
  const features = new Float64Array(adds.size);
  const featureAdds = new Float64Array(adds.size);
  let count = 0;
  const products = new Map<string, number>();
  for (const [name, add] of adds) {
    if (name.startsWith(PRODUCT) || name.startsWith(RELATED)) {
      const id = featureValue(name);
      // In the order of the formula (score.ts), so that the sum has the same bits.
      if (!products.has(id)) products.set(id, (adds.get(PRODUCT + id) ?? 0) + (adds.get(RELATED + id) ?? 0));
    } else {
      features[count] = featureHash(name);
      featureAdds[count++] = add;
    }
  }
  return {
    id: ++latestId,
    strength: boosts.strength,
    maxBoost: boosts.maxBoost,
    features: features.slice(0, count),
    featureAdds: featureAdds.slice(0, count),
    products: Float64Array.from(products.keys(), productHash),
    productAdds: Float64Array.from(products.values()),
    named: null,
  };
}
