import { LRUCache } from 'lru-cache';
import type { PriceTaste } from '../../../../ranking/affinity';
import { type PersonalTarget, personalFactor, priceWeight, topCategoryOf } from '../../../../ranking/score';
import type { SentBoosts } from './sent-boosts';
import type { StoreIndex } from '../index/store-index';

/** Weights by number, all zero between searches, and whether there is any: a byte stays in the cache where doubles do not. */
class WeightScratch {
  weights = new Float64Array(0);
  any = new Uint8Array(0);
  private touched: Uint32Array = new Uint32Array(0);

  prepare(length: number): void {
    for (const number of this.touched) this.weights[number] = this.any[number] = 0;
    this.touched = new Uint32Array(0);
    if (this.any.length >= length) return;
    this.weights = new Float64Array(length + (length >> 2));
    this.any = new Uint8Array(length + (length >> 2));
  }

  fill({ numbers, weights }: NumberedWeights): void {
    for (let slot = 0; slot < numbers.length; slot++) {
      const number = numbers[slot]!;
      this.weights[number] = weights[slot]!;
      this.any[number] = 1;
    }
    this.touched = numbers;
  }
}

/** Weights of shoppers that are kept by number, 12 bytes each. */
const MOST_RESOLVED = 150_000;
/** The arrays and the entry of one shopper take as much memory as so many weights, about. */
const ENTRY_WEIGHTS = 80;

/** A shopper's boosts by the numbers of an index; of use until the index has new names. */
interface ResolvedBoosts {
  /** How many names the index had. */
  names: string;
  features: NumberedWeights;
  products: NumberedWeights;
}

const sizeOf = ({ features, products }: ResolvedBoosts): number =>
  ENTRY_WEIGHTS + features.numbers.length + products.numbers.length;

interface NumberedWeights {
  numbers: Uint32Array;
  weights: Float64Array;
}

/** Kept from search to search: as long as the store's terms and its products. */
export class PersonalScratch {
  readonly features = new WeightScratch();
  readonly products = new WeightScratch();
  /** By the id of the boosts. */
  private readonly resolved = new WeakMap<StoreIndex, LRUCache<number, ResolvedBoosts>>();

  /** Kept, because looking up the names costs more than using them. */
  resolve(index: StoreIndex, boosts: SentBoosts): ResolvedBoosts {
    const { columns, vocabulary } = index;
    const names = `${vocabulary.version} ${columns.productIds.length}`;
    let ofIndex = this.resolved.get(index);
    if (!ofIndex)
      this.resolved.set(index, (ofIndex = new LRUCache({ maxSize: MOST_RESOLVED, sizeCalculation: sizeOf })));
    const known = ofIndex.get(boosts.id);
    if (known?.names === names) return known;
    const resolved = {
      names,
      features: numbered(boosts.features, boosts.featureWeights, (hash) => vocabulary.idOfHash(hash)),
      products: numbered(boosts.products, boosts.productWeights, (hash) => columns.productOfHash(hash)),
    };
    ofIndex.set(boosts.id, resolved);
    return resolved;
  }
}

const nothing: NumberedWeights = { numbers: new Uint32Array(0), weights: new Float64Array(0) };

function numbered(
  hashes: Float64Array,
  weights: Float64Array,
  numberOf: (hash: number) => number | undefined,
): NumberedWeights {
  const numbers = new Uint32Array(hashes.length);
  const found = new Float64Array(hashes.length);
  let count = 0;
  for (let index = 0; index < hashes.length; index++) {
    const number = numberOf(hashes[index]!);
    if (number === undefined) continue;
    numbers[count] = number;
    found[count++] = weights[index]!;
  }
  if (count === 0) return nothing;
  return { numbers: numbers.slice(0, count), weights: found.slice(0, count) };
}

/** A shopper's boosts against the numbers of the index, read per row without a string. */
export class PersonalWeights {
  constructor(
    private readonly index: StoreIndex,
    private readonly boosts: SentBoosts,
    private readonly scratch: PersonalScratch,
  ) {
    const { columns, vocabulary } = index;
    const { features, products } = scratch;
    features.prepare(vocabulary.terms.length);
    products.prepare(columns.productIds.length);
    const resolved = scratch.resolve(index, boosts);
    features.fill(resolved.features);
    products.fill(resolved.products);
  }

  /** Multiplies the scores at these slots by what the shopper makes of them. */
  multiply(scores: Float64Array, slots: Uint32Array, rows: Uint32Array): void {
    const { columns } = this.index;
    const { data, starts } = columns.features;
    const product = columns.product.data;
    const { any, weights } = this.scratch.features;
    const { any: anyProduct, weights: productWeights } = this.scratch.products;
    const { prices } = this.boosts;
    const taste = prices && this.tasteInPrices(prices);
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at]!;
      const row = rows[slot]!;
      let sum = anyProduct[product[row]!] === 1 ? productWeights[product[row]!]! : 0;
      const end = starts[row + 1]!;
      for (let item = starts[row]!; item < end; item++) {
        const feature = data[item]!;
        if (any[feature] === 1) sum += weights[feature]!;
      }
      if (taste) sum += taste(row);
      if (sum > 0) scores[slot] = scores[slot]! * personalFactor(this.boosts, sum);
    }
  }

  /** What a taste in prices adds, by row. Names are looked at once a term: rows share them. */
  private tasteInPrices(prices: Map<string, PriceTaste>): (row: number) => number {
    const { columns, vocabulary } = this.index;
    const { data, starts } = columns.features;
    const tops = new Map<number, string | undefined>();
    const topOf = (term: number): string | undefined => {
      if (!tops.has(term)) tops.set(term, topCategoryOf([(vocabulary.terms[term] ?? '').slice(1)]));
      return tops.get(term);
    };
    return (row) => {
      const end = starts[row + 1]!;
      for (let item = starts[row]!; item < end; item++) {
        const topCategory = topOf(data[item]!);
        if (topCategory === undefined) continue;
        return priceWeight({ prices }, { topCategory, price: columns.numbers.price.data[row] ?? 0 });
      }
      return 0;
    };
  }
}

/** What of a row the personal factor looks at, by name. */
export function targetOf({ columns, vocabulary }: StoreIndex, row: number): PersonalTarget {
  const features = Array.from(columns.features.of(row), (term) => (vocabulary.terms[term] ?? '').slice(1));
  const topCategory = topCategoryOf(features);
  return {
    id: columns.productIds[columns.product.data[row] ?? 0] ?? '',
    features,
    price: columns.numbers.price.data[row] ?? 0,
    ...(topCategory === undefined ? {} : { topCategory }),
  };
}
