import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import { CatalogLearner } from '../../ranking/learning/learn';
import { cached } from '../../shared/async/single-flight';

/** Products that are read of a store, the first by id: what is estimated of them is needed for a minute or two. */
const MOST_PRODUCTS = 1000;
const PAGE = 500;
/** How long they are kept, milliseconds: a catalog that is being loaded changes all the time. */
export const SHARES_KEPT_MS = 5000;
const MOST_STORES = 100;

const nothing: ReadonlyMap<string, number> = new Map();

/** What a catalog says of shares as long as nothing was learned of a store: each product counts as sold once. */
@Injectable()
export class CatalogShares {
  private readonly known = new LRUCache<string, Promise<ReadonlyMap<string, number>>>({
    max: MOST_STORES,
    ttl: SHARES_KEPT_MS,
  });

  constructor(private readonly records: CatalogRecords) {}

  /** Share of each feature within its scope. Empty where the catalog can't be read just now: a search does without. */
  of(store: string): Promise<ReadonlyMap<string, number>> {
    return cached(this.known, store, () => this.read(store)).catch(() => nothing);
  }

  private async read(store: string): Promise<ReadonlyMap<string, number>> {
    const learner = new CatalogLearner();
    let read = 0;
    for (let after = ''; read < MOST_PRODUCTS;) {
      const page = await this.records.scan(store, { after, limit: PAGE });
      const ids = page.map(({ productId }) => productId);
      const products = await this.records.features(store, ids);
      learner.add(products.values());
      read += products.size;
      if (page.length < PAGE) break;
      after = ids.at(-1) ?? after;
    }
    return learner.finish().shares;
  }
}
