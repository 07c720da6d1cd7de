import { aProduct } from '../../builders/a-product';
import type { Dice } from '../dice';
import { type Json, must, type Send, type StoreClient } from '../store-client';

/** Prices by product. */
type Catalog = ReadonlyMap<string, number>;

/** Jobs that are asked for of a store in each round. */
export interface Asked {
  imports: boolean;
  reindexes: boolean;
}

export interface BegunJob {
  id: string;
  kind: 'catalog.import' | 'catalog.reindex';
  /** What its result has to be, as far as that is certain. */
  result: Json;
}

/** Every product is found by it. */
const FIRST_PAGE = { terms: 'tênis', resultsPerPage: 50, productFormat: 'complete' };
/** Without it a product was created when it came, and the order by relevance changes with the hour. */
const CREATED = '2020-01-01T00:00:00Z';
/** Of products: dropped from one feed to the next, new in it, and the same as before. */
const SHARES = { dropped: 0.03, added: 0.03, same: 0.2 };
const CHECKED_AT_ONCE = 100;

/** A store whose catalog is known to the product, before, while and after it is imported and reindexed. */
export class WatchedStore {
  private now: Catalog = new Map();
  /** What an import under way makes of it. */
  private next: Catalog | null = null;
  /** The first page of what serves; null: an import may change it. */
  private firstPage: string | null = null;
  private added = 0;
  private price = 1;

  private constructor(
    readonly name: string,
    private readonly client: StoreClient,
    private readonly asked: Asked,
  ) {}

  static async fill(
    client: StoreClient,
    { products, dice, ...asked }: Asked & { products: number; dice: Dice },
  ): Promise<WatchedStore> {
    const store = new WatchedStore(client.keys.apiKey, client, asked);
    store.added = products;
    const first = new Map(Array.from({ length: products }, (_, number) => [`p${number}`, 1 + dice.below(2)]));
    await client.putMany(Array.from(first, ([id, price]) => productOf(id, price)));
    store.now = first;
    return store;
  }

  /** Asks for what is asked of this store; resolves when it is promised. */
  async begin(send: Send, dice: Dice): Promise<BegunJob[]> {
    const client = this.client.through(send);
    const begun: BegunJob[] = [];
    if (this.asked.imports) begun.push(await this.import(client, dice));
    else this.firstPage = JSON.stringify((await this.page(client)).products);
    if (this.asked.reindexes) {
      const id = String(must(await client.admin({ method: 'POST', path: '/reindex' }), 202)['jobId']);
      // What an import adds or removes meanwhile may be in it or not.
      begun.push({ id, kind: 'catalog.reindex', result: this.asked.imports ? {} : { products: this.now.size } });
    }
    return begun;
  }

  /** What was wrong with one answer of the index that serves; null: nothing. Throws where there was none. */
  async wrongNow(send: Send): Promise<string | null> {
    const { size, products, next } = { ...(await this.page(this.client.through(send))), next: this.next ?? this.now };
    const kept = Array.from(this.now.keys()).filter((id) => next.has(id)).length;
    const most = this.now.size + next.size - kept;
    if (size < kept || size > most) return `${this.name} found ${size} products, of ${kept} to ${most}`;
    const odd = products.find(({ id, price }) => this.now.get(id) !== price && next.get(id) !== price);
    if (odd) return `${this.name} showed ${JSON.stringify(odd)}, which it never was`;
    const isOther = this.firstPage !== null && JSON.stringify(products) !== this.firstPage;
    return isOther ? `${this.name} showed another first page while nothing of it changed` : null;
  }

  /** Once its jobs have ended: what is not as it was to become, to the product. */
  async wrongInTheEnd(send: Send): Promise<string[]> {
    this.now = this.next ?? this.now;
    this.next = null;
    const client = this.client.through(send);
    const { size } = await this.page(client);
    const wrong = size === this.now.size ? [] : [`${this.name} has ${size} products instead of ${this.now.size}`];
    const all = [...this.now];
    for (let from = 0; from < all.length; from += CHECKED_AT_ONCE) {
      const some = all.slice(from, from + CHECKED_AT_ONCE);
      const query = { pids: some.map(([id]) => id), resultsPerPage: CHECKED_AT_ONCE, productFormat: 'complete' };
      const found = new Map((await client.search(query)).products.map((one) => [one.id, (one as Json)['price']]));
      for (const [id, price] of some) {
        if (found.get(id) !== price) wrong.push(`${this.name} has ${id} at ${String(found.get(id))}, not ${price}`);
      }
    }
    return wrong;
  }

  private async import(client: StoreClient, dice: Dice): Promise<BegunJob> {
    const next = this.following(dice);
    const body = Array.from(next, ([id, price]) => JSON.stringify(productOf(id, price))).join('\n');
    const headers = { 'content-type': 'application/x-ndjson' };
    const call = { method: 'POST', path: '/imports', query: { mode: 'full' }, headers, body };
    // Before it is asked for: from then on it may be under way.
    this.next = next;
    const id = String(must(await client.admin(call), 202)['jobId']);
    const unchanged = Array.from(next).filter(([product, price]) => this.now.get(product) === price).length;
    const removed = Array.from(this.now.keys()).filter((product) => !next.has(product)).length;
    const result = { accepted: next.size - unchanged, unchanged, removed, rejected: 0, errors: [] };
    return { id, kind: 'catalog.import', result };
  }

  /** Some products go, some come, most cost something else. */
  private following(dice: Dice): Catalog {
    const chance = (share: number): boolean => dice.below(10_000) < share * 10_000;
    this.price += 1;
    const next = new Map<string, number>();
    for (const [id, price] of this.now) {
      if (!chance(SHARES.dropped)) next.set(id, chance(SHARES.same) ? price : this.price + 0.5);
    }
    const many = Math.round(this.now.size * SHARES.added);
    for (let number = 0; number < many; number += 1) next.set(`p${(this.added += 1)}`, this.price);
    return next;
  }

  private async page(client: StoreClient): Promise<{ size: number; products: { id: string; price: unknown }[] }> {
    const { size, products } = await client.search(FIRST_PAGE);
    return { size, products: products.map((one) => ({ id: one.id, price: (one as Json)['price'] })) };
  }
}

const productOf = (id: string, price: number): Record<string, unknown> =>
  aProduct({ id, name: `Tênis ${id}`, price, created: CREATED });
