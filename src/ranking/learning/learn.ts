import { topLevelOf } from '../vectors/category-path';
import type { ProductFeatures } from '../vectors/features';
import type { Buyers } from '../quality';
import { groupByUser, Numbering, type Purchases, PurchaseTable } from './learn-table';
import { learnRelated } from './learn-related';
import { learnRepurchase } from './learn-repurchase';

/**
 * What a store as a whole teaches, learned by a job from the purchases in its log and its catalog: trend, the store's shares,
 * related products, repurchase. Feed it in batches of any size, in the order of the log.
 */
export interface Purchase {
  userId: string;
  product: ProductFeatures;
  /** Epoch ms. */
  at: number;
}

export interface LearnOptions {
  /** The model is as of this time, epoch ms; later purchases are left out. */
  now: number;
  /** Half-lives of the trend's three memories, ms. */
  short: number;
  middle: number;
  long: number;
}

/** What the store knows of one product: read for the products in a shopper's vector. */
export interface ProductStats {
  /** Products its buyers also buy, strongest first: how many times their store share. */
  related: [productId: string, weight: number][];
  /** How readily who bought it buys it again: the root of the rate of its category, 1 being that of an ordinary store; 0: nobody does. */
  repurchase: number;
}

/** Buyers by product. */
export type LearnedTrend = Pick<ReadonlyMap<string, Buyers>, 'size' | 'get'> & Iterable<[string, Buyers]>;

export interface LearnedModel {
  /** Every product that is known or was bought; feed to `trendValue`. */
  trend: LearnedTrend;
  /** Share of a feature within its scope: its top category for `x@category`, else the whole store. */
  shares: Map<string, number>;
  /** Related products and repurchase, in the form ranking reads; products of which nothing is known are absent. */
  productStats: Map<string, ProductStats>;
  users: number;
  purchases: number;
  products: number;
}

/** Being in the catalog counts as this many purchases, so that a feature nobody has bought yet has a share, too. */
const CATALOG_PRIOR = 0.5;

export class StoreLearner {
  private readonly table = new PurchaseTable();

  constructor(private readonly options: LearnOptions) {}

  /** The products as they are now: their features win over those in purchases. */
  addCatalog(products: Iterable<ProductFeatures>): void {
    for (const product of products) this.table.describe(product);
  }

  addPurchases(purchases: Iterable<Purchase>): void {
    for (const purchase of purchases) {
      if (purchase.at <= this.options.now) this.table.add(purchase);
    }
  }

  finish(): LearnedModel {
    const { table } = this;
    const purchases = groupByUser(table);
    const related = learnRelated(purchases, productShares(table));
    const repurchase = learnRepurchase(purchases, table, this.options.now);
    const productStats = new Map<string, ProductStats>();
    table.ids.forEach((id, product) => {
      const own: ProductStats = {
        related: namedRelated(related[product], table),
        repurchase: repurchase[product] ?? 1,
      };
      if (own.related.length > 0 || own.repurchase !== 1) productStats.set(id, own);
    });
    return {
      trend: new TrendColumns(table, purchases, this.options),
      shares: learnShares(table),
      productStats,
      users: purchases.users,
      purchases: table.size,
      products: table.ids.length,
    };
  }
}

function namedRelated(related: [number, number][] | undefined, table: PurchaseTable): [string, number][] {
  return (related ?? []).map(([product, weight]) => [table.ids[product] ?? '', Number(weight.toPrecision(6))]);
}

/** Only a user's first purchase of a product counts: popularity among people, not the habits of a few. In columns, 24 bytes a product. */
class TrendColumns implements LearnedTrend {
  private readonly columns: Readonly<Record<keyof Buyers, Float64Array>>;

  constructor(
    private readonly table: PurchaseTable,
    purchases: Purchases,
    options: LearnOptions,
  ) {
    const { length } = table.ids;
    const [S, M, L] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)];
    for (let pair = 0; pair < purchases.product.length; pair++) {
      const product = purchases.product[pair]!;
      const age = options.now - (purchases.first[pair] ?? 0);
      S[product]! += 2 ** (-age / options.short);
      M[product]! += 2 ** (-age / options.middle);
      L[product]! += 2 ** (-age / options.long);
    }
    this.columns = { S, M, L };
  }

  get size(): number {
    return this.table.ids.length;
  }

  get(id: string): Buyers | undefined {
    const product = this.table.numberOf(id);
    return product === undefined ? undefined : this.of(product);
  }

  *[Symbol.iterator](): Generator<[string, Buyers]> {
    for (const [product, id] of this.table.ids.entries()) yield [id, this.of(product)];
  }

  private of(product: number): Buyers {
    const { S, M, L } = this.columns;
    return { S: S[product]!, M: M[product]!, L: L[product]! };
  }
}

/** What a catalog teaches of which nothing was bought: as a `StoreLearner` has it, in the memory of its features, not of its products. */
export class CatalogLearner {
  private readonly features = new Numbering();
  private readonly sums: number[] = [];
  private readonly tops = new Map<string, number>();
  private products = 0;

  /** Each product once. */
  add(products: Iterable<ProductFeatures>): void {
    for (const { f, t } of products) {
      this.products += 1;
      this.tops.set(t, (this.tops.get(t) ?? 0) + CATALOG_PRIOR);
      for (const feature of f) {
        const number = this.features.of(feature);
        this.sums[number] = (this.sums[number] ?? 0) + CATALOG_PRIOR;
      }
    }
  }

  finish(): Omit<LearnedModel, 'trend'> {
    const { features, sums, tops, products } = this;
    const shares = sharesOf(features.names, sums, { tops, whole: products * CATALOG_PRIOR });
    return { shares, productStats: new Map(), users: 0, purchases: 0, products };
  }
}

function productWeight(table: PurchaseTable, product: number): number {
  return (table.bought[product] ?? 0) + CATALOG_PRIOR;
}

function productShares(table: PurchaseTable): Float64Array {
  const weights = Float64Array.from(table.ids, (_, product) => productWeight(table, product));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / whole);
}

function learnShares(table: PurchaseTable): Map<string, number> {
  const sums = new Float64Array(table.featureNames.length);
  const tops = new Map<string, number>();
  let whole = 0;
  for (let product = 0; product < table.ids.length; product++) {
    const weight = productWeight(table, product);
    const top = table.topOf(product);
    whole += weight;
    tops.set(top, (tops.get(top) ?? 0) + weight);
    for (const feature of table.featuresOf(product)) sums[feature] = (sums[feature] ?? 0) + weight;
  }
  return sharesOf(table.featureNames, sums, { tops, whole });
}

/** `sums`: weights of the products with a feature, by its number; `tops` and `whole`: of those in a top category, and of all. */
function sharesOf(
  names: readonly string[],
  sums: ArrayLike<number>,
  { tops, whole }: { tops: ReadonlyMap<string, number>; whole: number },
): Map<string, number> {
  const shares = new Map<string, number>();
  names.forEach((feature, index) => {
    const at = feature.lastIndexOf('@');
    const scoped = at > feature.indexOf(':');
    const scope = scoped ? (tops.get(topLevelOf(feature.slice(at + 1))) ?? whole) : whole;
    shares.set(feature, Math.min(1, (sums[index] ?? 0) / scope));
  });
  return shares;
}
