import { type PersonalTarget, personalFactor, priceAdd, topCategoryOf } from '../../../ranking/score';
import type { SentBoosts } from './sent-boosts';
import type { StoreIndex } from './store-index';

/** Adds by number, all zero between searches, and whether there is any: a byte stays in the cache where doubles do not. */
class AddScratch {
  adds = new Float64Array(0);
  any = new Uint8Array(0);
  private touched: number[] = [];

  prepare(length: number): void {
    for (const number of this.touched) this.adds[number] = this.any[number] = 0;
    this.touched = [];
    if (this.any.length >= length) return;
    this.adds = new Float64Array(length + (length >> 2));
    this.any = new Uint8Array(length + (length >> 2));
  }

  set(number: number, add: number): void {
    this.adds[number] = add;
    this.any[number] = 1;
    this.touched.push(number);
  }
}

/** Kept from search to search: as long as the store's terms and its products. */
export class PersonalScratch {
  readonly features = new AddScratch();
  readonly products = new AddScratch();
}

/** A shopper's boosts against the numbers of the index, read per row without a string. */
export class PersonalAdds {
  constructor(
    private readonly index: StoreIndex,
    private readonly boosts: SentBoosts,
    private readonly scratch: PersonalScratch,
  ) {
    const { columns, vocabulary } = index;
    const { features, products } = scratch;
    features.prepare(vocabulary.terms.length);
    products.prepare(columns.productIds.length);
    for (let place = 0; place < boosts.features.length; place++) {
      const feature = vocabulary.idOfHash(boosts.features[place]!);
      if (feature !== undefined) features.set(feature, boosts.featureAdds[place]!);
    }
    for (let place = 0; place < boosts.products.length; place++) {
      const product = columns.productOfHash(boosts.products[place]!);
      if (product !== undefined) products.set(product, boosts.productAdds[place]!);
    }
  }

  /** Multiplies the scores at these places by what the shopper makes of them. */
  multiply(scores: Float64Array, places: Uint32Array, rows: Uint32Array): void {
    const { columns } = this.index;
    const { data, starts } = columns.features;
    const product = columns.product.data;
    const { any, adds } = this.scratch.features;
    const { any: anyProduct, adds: productAdds } = this.scratch.products;
    const prices = this.boosts.named?.prices !== undefined;
    for (let at = 0; at < places.length; at++) {
      const place = places[at]!;
      const row = rows[place]!;
      let sum = anyProduct[product[row]!] === 1 ? productAdds[product[row]!]! : 0;
      const end = starts[row + 1]!;
      for (let item = starts[row]!; item < end; item++) {
        const feature = data[item]!;
        if (any[feature] === 1) sum += adds[feature]!;
      }
      if (prices) sum += this.priceAdd(row);
      if (sum > 0) scores[place] = scores[place]! * personalFactor(this.boosts, sum);
    }
  }

  private priceAdd(row: number): number {
    return this.boosts.named ? priceAdd(this.boosts.named, targetOf(this.index, row)) : 0;
  }
}

/** What of a row the personal factor looks at, by name. */
export function targetOf({ columns, vocabulary }: StoreIndex, row: number): PersonalTarget {
  const features = Array.from(columns.features.of(row), (term) => (vocabulary.terms[term] ?? '').slice(1));
  const topCategory = topCategoryOf(features);
  return {
    id: columns.productIds[columns.product.data[row] ?? 0] ?? '',
    features,
    price: columns.price.data[row] ?? 0,
    ...(topCategory === undefined ? {} : { topCategory }),
  };
}
