import { joinLevels } from '../../ranking/vectors/category-path';
import { categoryKeys, categoryPaths } from '../../catalog/product/categories';
import { normaliseValue, type ProductFeatures } from '../../ranking/vectors/features';
import type { Product } from '../../catalog/product/product';
import { boostKeys, personalFactor, tasteWeight } from '../../ranking/score';
import type { Boosts } from '../../ranking/affinity';

/** Who pays for the product's ads: the brand that makes it, or one of a marketplace's sellers. */
export type ProductType = 'brand' | 'seller';

/** What is known of a sponsored product when it is chosen. Before it is shown, it is looked up again. */
export interface SponsoredProduct {
  id: string;
  /** Normalised; empty where there is none. */
  brand: string;
  type: ProductType;
  features: ProductFeatures;
  /** Every level of every path. */
  categories: { id: string; name: string; key: string }[];
}

export function sponsoredProduct(product: Product, seller: string, features: ProductFeatures): SponsoredProduct {
  const levels = new Map<string, SponsoredProduct['categories'][number]>();
  for (const path of categoryPaths(product.categories)) {
    categoryKeys(path).forEach((key, depth) => {
      const { id = '', name = '' } = path[depth] ?? {};
      levels.set(key, { id, name, key });
    });
  }
  return {
    id: product.id,
    brand: normaliseValue(product.brand ?? ''),
    type: seller === '' ? 'brand' : 'seller',
    features,
    categories: [...levels.values()],
  };
}

const none: readonly number[] = [];

/** The sponsored products of a store, each in a numbered slot, with what leads to them. */
export class Inventory {
  private readonly slots = new Map<string, number>();
  private readonly byFeature = new Map<string, number[]>();
  private readonly byCategory = new Map<string, number[]>();
  /** Top category -> logarithms of prices, for tastes in price. */
  private readonly priced = new Map<string, { slot: number; lnPrice: number }[]>();
  /** What a page may call a category -> its keys. */
  private readonly names = new Map<string, Set<string>>();

  constructor(readonly products: readonly SponsoredProduct[]) {
    products.forEach((product, slot) => {
      this.slots.set(product.id, slot);
      for (const feature of boostKeys(product.id, product.features.f)) push(this.byFeature, feature, slot);
      const { t: category, p: price } = product.features;
      if (price !== undefined) push(this.priced, category, { slot, lnPrice: Math.log(price) });
      for (const { id, name, key } of product.categories) {
        push(this.byCategory, key, slot);
        for (const text of [id, normaliseValue(id), normaliseValue(name), key]) {
          this.names.set(text, (this.names.get(text) ?? new Set()).add(key));
        }
      }
    });
  }

  slotOf(productId: string): number | undefined {
    return this.slots.get(productId);
  }

  inCategory(key: string): readonly number[] {
    return this.byCategory.get(key) ?? none;
  }

  /** Keys of the category a page calls by its id, its path or its name. */
  categoryKeys(text: string): readonly string[] {
    const path = joinLevels(text.split(/[>/]/).map(normaliseValue));
    const found = this.names.get(text) ?? this.names.get(normaliseValue(text)) ?? this.names.get(path);
    return [...(found ?? [])];
  }

  /** The factor that a search would give each product for this shopper. Computed by feature: most features have few products here. */
  affinities(boosts: Boosts | null): Float64Array {
    const factors = new Float64Array(this.products.length);
    if (boosts === null) return factors.fill(1);
    for (const [feature, weight] of boosts.featureWeights) {
      for (const slot of this.byFeature.get(feature) ?? none) factors[slot] = (factors[slot] ?? 0) + weight;
    }
    for (const [category, taste] of boosts.prices ?? []) {
      for (const { slot, lnPrice } of this.priced.get(category) ?? []) {
        factors[slot] = (factors[slot] ?? 0) + tasteWeight(taste, lnPrice);
      }
    }
    for (let slot = 0; slot < factors.length; slot += 1) {
      factors[slot] = personalFactor(boosts, factors[slot] ?? 0);
    }
    return factors;
  }
}

function push<T>(lists: Map<string, T[]>, name: string, item: T): void {
  const list = lists.get(name);
  if (list) list.push(item);
  else lists.set(name, [item]);
}
