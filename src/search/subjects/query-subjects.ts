import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { Secrets } from '../../config/secrets';
import { type DocumentKey, Documents } from '../../documents/documents';
import { keyedName } from '../../shared/keyed-hash';
import { StoreErasure } from '../../stores/store-erasure';
import type { ChosenCategories } from './chosen-categories';

/** Other processes learn of a change within this time. Milliseconds. */
const KNOWN_FOR = 30_000;
const MOST_STORES = 500;
/** Characters of a query's hash. */
const NAME = 12;
const none: readonly string[] = [];

/** As stored. `queries`: hash -> indices of `categories`. */
interface Stored {
  categories: readonly string[];
  queries: Readonly<Record<string, readonly number[]>>;
}

type Known = ReadonlyMap<string, readonly string[]>;

const keyOf = (store: string): DocumentKey => ({ store, kind: 'query-subjects', id: 'all' });

/** What stores have learned of their queries: the categories that shoppers choose from after each. Queries are kept as keyed hashes alone. */
@Injectable()
export class QuerySubjects {
  private readonly stores: LRUCache<string, Known>;
  private readonly nameOf: (query: string) => string;

  constructor(
    private readonly documents: Documents,
    erasure: StoreErasure,
    secrets: Secrets,
  ) {
    this.nameOf = keyedName(secrets.adminSecret, 'queries and their subjects');
    this.stores = new LRUCache({
      max: MOST_STORES,
      ttl: KNOWN_FOR,
      // No search waits for a second look, and while the storage does not answer, what was known goes on.
      allowStale: true,
      allowStaleOnFetchRejection: true,
      fetchMethod: (store) => this.read(store),
    });
    // The document goes with all others of the store.
    erasure.add('query subjects', async (store) => void this.stores.delete(store));
  }

  /** Categories that shoppers choose from after a query, each as `categoryKey`. Empty: nothing was learned of it, or it can't be told. */
  async of(store: string, query: string): Promise<readonly string[]> {
    const known = await this.stores.fetch(store).catch(() => undefined);
    if (!known || known.size === 0) return none;
    return known.get(this.hash(store, query)) ?? none;
  }

  /** The stores of which anything was learned: of all at once. */
  async withAny(): Promise<ReadonlySet<string>> {
    const found = await this.documents.list<Stored>({ kind: keyOf('').kind });
    return new Set(found.flatMap(({ store, body }) => (Object.keys(body.queries).length > 0 ? [store] : [])));
  }

  /** Replaces what was learned. False: it was the same. */
  async put(store: string, learned: ChosenCategories): Promise<boolean> {
    const categories = [...new Set([...learned.values()].flat())].sort();
    const indexOf = new Map(categories.map((category, index) => [category, index]));
    const queries = [...learned].map(([query, chosen]) => [
      this.hash(store, query),
      chosen.map((category) => indexOf.get(category)),
    ]);
    const body = { categories, queries: Object.fromEntries(queries) as Stored['queries'] };
    const before = (await this.documents.get<Stored>(keyOf(store)))?.body ?? { categories: [], queries: {} };
    if (isDeepStrictEqual(before, body)) return false;
    await this.documents.put([{ ...keyOf(store), body }]);
    this.stores.set(store, opened(body));
    return true;
  }

  private async read(store: string): Promise<Known> {
    const found = await this.documents.get<Stored>(keyOf(store));
    return found ? opened(found.body) : new Map();
  }

  private hash(store: string, query: string): string {
    return this.nameOf(JSON.stringify([store, query])).slice(0, NAME);
  }
}

function opened({ categories, queries }: Stored): Known {
  return new Map(
    Object.entries(queries).map(([name, indices]) => [name, indices.flatMap((index) => categories[index] ?? [])]),
  );
}
