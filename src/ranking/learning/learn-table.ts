import type { ProductFeatures } from '../vectors/features';

/** Names and their numbers, 0 upwards. */
export class Numbering {
  readonly names: string[] = [];
  private readonly numbers = new Map<string, number>();

  find(name: string): number | undefined {
    return this.numbers.get(name);
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

/** Purchases in columns, 16 bytes each, and the features of products end to end, four bytes each: an array a product took many times that. */
export class PurchaseTable {
  private readonly productNumbers = new Numbering();
  private readonly featureNumbers = new Numbering();
  private readonly topNumbers = new Numbering();
  private readonly userNumbers = new Numbering();
  readonly ids = this.productNumbers.names;
  readonly featureNames = this.featureNumbers.names;
  private readonly tops: number[] = [];
  private features = new Int32Array(1024);
  /** Features that are described. */
  private described = 0;
  /** Where the features of each product begin, and how many they are. */
  private readonly starts: number[] = [];
  private readonly counts: number[] = [];
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
    const { length } = product.f;
    this.bought[number] ??= 0;
    this.tops[number] = this.topNumbers.of(product.t);
    this.starts[number] = this.described;
    this.counts[number] = length;
    const described = this.described + length;
    if (described > this.features.length) {
      const grown = new Int32Array(described + (described >> 2));
      grown.set(this.features);
      this.features = grown;
    }
    for (const feature of product.f) this.features[this.described++] = this.featureNumbers.of(feature);
  }

  numberOf(id: string): number | undefined {
    return this.productNumbers.find(id);
  }

  /** Its top category. */
  topOf(product: number): string {
    return this.topNumbers.names[this.tops[product] ?? 0] ?? '';
  }

  featuresOf(product: number): Int32Array {
    const start = this.starts[product] ?? 0;
    return this.features.subarray(start, start + (this.counts[product] ?? 0));
  }

  add(purchase: { userId: string; product: ProductFeatures; at: number }): void {
    if (this.numberOf(purchase.product.id) === undefined) this.describe(purchase.product);
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
