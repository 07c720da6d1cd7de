import type { ProductFeatures } from '../features';

/** Purchases in columns: 16 bytes each, so that a million cost 16 MB beside the products they are of. */
export class PurchaseTable {
  readonly ids: string[] = [];
  readonly top: string[] = [];
  readonly features: Int32Array[] = [];
  readonly featureNames: string[] = [];
  /** Purchases of each product. */
  readonly bought: number[] = [];
  size = 0;
  users = 0;
  user = new Int32Array(1024);
  product = new Int32Array(1024);
  at = new Float64Array(1024);
  private readonly productNumber = new Map<string, number>();
  private readonly featureNumber = new Map<string, number>();
  private readonly userNumber = new Map<string, number>();

  /** Takes the features of a product; the last description wins. */
  describe(product: ProductFeatures): number {
    let number = this.productNumber.get(product.id);
    if (number === undefined) {
      number = this.ids.length;
      this.productNumber.set(product.id, number);
      this.ids.push(product.id);
      this.bought.push(0);
    }
    this.top[number] = product.t;
    this.features[number] = Int32Array.from(product.f, (feature) => this.featureOf(feature));
    return number;
  }

  add(purchase: { userId: string; product: ProductFeatures; at: number }): void {
    const product = this.productNumber.get(purchase.product.id) ?? this.describe(purchase.product);
    let user = this.userNumber.get(purchase.userId);
    if (user === undefined) {
      user = this.users++;
      this.userNumber.set(purchase.userId, user);
    }
    if (this.size === this.user.length) this.grow();
    this.user[this.size] = user;
    this.product[this.size] = product;
    this.at[this.size++] = purchase.at;
    this.bought[product] = (this.bought[product] ?? 0) + 1;
  }

  private featureOf(feature: string): number {
    let number = this.featureNumber.get(feature);
    if (number === undefined) {
      number = this.featureNames.length;
      this.featureNumber.set(feature, number);
      this.featureNames.push(feature);
    }
    return number;
  }

  private grow(): void {
    const length = this.user.length * 2;
    const user = new Int32Array(length);
    const product = new Int32Array(length);
    const at = new Float64Array(length);
    user.set(this.user);
    product.set(this.product);
    at.set(this.at);
    [this.user, this.product, this.at] = [user, product, at];
  }
}

/** Each user's distinct products: those of user u are the pairs from `start[u]` to `start[u + 1]`, by product. */
export interface Purchases {
  users: number;
  start: Int32Array;
  product: Int32Array;
  /** First and latest time the user bought it. */
  first: Float64Array;
  last: Float64Array;
}

/** Counting sort by user, then each user's own purchases by product: no table of pairs in memory. */
export function groupByUser(table: PurchaseTable): Purchases {
  const { size, users } = table;
  const from = new Int32Array(users + 1);
  for (let row = 0; row < size; row++) from[(table.user[row] ?? 0) + 1]! += 1;
  for (let user = 0; user < users; user++) from[user + 1]! += from[user] ?? 0;
  const next = from.slice();
  const rows = new Int32Array(size);
  for (let row = 0; row < size; row++) rows[next[table.user[row] ?? 0]!++] = row;
  const pairs: Purchases = {
    users,
    start: new Int32Array(users + 1),
    product: new Int32Array(size),
    first: new Float64Array(size),
    last: new Float64Array(size),
  };
  let count = 0;
  for (let user = 0; user < users; user++) {
    const own = rows.subarray(from[user], from[user + 1]);
    own.sort((a, b) => table.product[a]! - table.product[b]! || table.at[a]! - table.at[b]!);
    count = addPairs(table, own, { pairs, count, begin: count });
    pairs.start[user + 1] = count;
  }
  pairs.product = pairs.product.subarray(0, count);
  return pairs;
}

function addPairs(
  table: PurchaseTable,
  rows: Int32Array,
  to: { pairs: Purchases; count: number; begin: number },
): number {
  const { pairs, begin } = to;
  let { count } = to;
  for (const row of rows) {
    const product = table.product[row] ?? 0;
    const at = table.at[row] ?? 0;
    if (count === begin || pairs.product[count - 1] !== product) {
      pairs.product[count] = product;
      pairs.first[count] = at;
      count += 1;
    }
    pairs.last[count - 1] = at;
  }
  return count;
}
