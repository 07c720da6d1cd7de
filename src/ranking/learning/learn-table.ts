import type { ProductFeatures } from '../vectors/features';

/** Names and their numbers, 0 upwards. */
class Numbering {
  readonly names: string[] = [];
  private readonly numbers = new Map<string, number>();

  has(name: string): boolean {
    return this.numbers.has(name);
  }

  /** The number of a name, a new one included. */
  of(name: string): number {
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.names.push(name) - 1;
      this.numbers.set(name, number);
    }
    return number;
  }
}

/** Purchases in columns: 16 bytes each, so that a million cost 16 MB beside the products they are of. */
export class PurchaseTable {
  private readonly productNumbers = new Numbering();
  private readonly featureNumbers = new Numbering();
  private readonly userNumbers = new Numbering();
  readonly ids = this.productNumbers.names;
  readonly top: string[] = [];
  readonly features: Int32Array[] = [];
  readonly featureNames = this.featureNumbers.names;
  /** Purchases of each product. */
  readonly bought: number[] = [];
  size = 0;
  user = new Int32Array(1024);
  product = new Int32Array(1024);
  at = new Float64Array(1024);

  get users(): number {
    return this.userNumbers.names.length;
  }

  /** Takes the features of a product; the last description wins. */
  describe(product: ProductFeatures): void {
    const number = this.productNumbers.of(product.id);
    this.bought[number] ??= 0;
    this.top[number] = product.t;
    this.features[number] = Int32Array.from(product.f, (feature) => this.featureNumbers.of(feature));
  }

  add(purchase: { userId: string; product: ProductFeatures; at: number }): void {
    if (!this.productNumbers.has(purchase.product.id)) this.describe(purchase.product);
    const product = this.productNumbers.of(purchase.product.id);
    if (this.size === this.user.length) this.grow();
    this.user[this.size] = this.userNumbers.of(purchase.userId);
    this.product[this.size] = product;
    this.at[this.size++] = purchase.at;
    this.bought[product] = (this.bought[product] ?? 0) + 1;
  }

  private grow(): void {
    const length = this.user.length * 2;
    const { user, product, at } = this;
    [this.user, this.product, this.at] = [new Int32Array(length), new Int32Array(length), new Float64Array(length)];
    this.user.set(user);
    this.product.set(product);
    this.at.set(at);
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
    count = addPairs(table, own, pairs, count);
    pairs.start[user + 1] = count;
  }
  pairs.product = pairs.product.subarray(0, count);
  return pairs;
}

/** Answers how many pairs there are then; `begin`: before. */
function addPairs(table: PurchaseTable, rows: Int32Array, pairs: Purchases, begin: number): number {
  let count = begin;
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
