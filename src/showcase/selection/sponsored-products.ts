import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import { Documents } from '../../documents/documents';
import type { Store } from '../../stores/store';
import { shownIn } from '../reply/shown-product';
import { type SponsoredProduct, sponsoredProduct } from './inventory';
import { ProductSearch } from './product-search';

/** Products in one read, and reads at a time: the embedded database holds up this process, a server answers several reads at once. */
const READS = { here: { size: 100, atOnce: 1 }, shared: { size: 250, atOnce: 4 } };
/** How many products a campaign's filter finds at most: those that a search would show first. */
const MOST_FOUND = 1000;

interface Loaded {
  store: Store;
  channel: string;
  ids: string[];
  into: Map<string, SponsoredProduct | null>;
}

/** Reads the products that campaigns name. */
@Injectable()
export class SponsoredProducts {
  constructor(
    private readonly records: CatalogRecords,
    private readonly search: ProductSearch,
    private readonly documents: Documents,
  ) {}

  /** Ids of what a filter finds, as a search would order it. */
  async find(store: Store, channel: string, filter: string[]): Promise<string[]> {
    const hits = await this.search.byFilter(store, channel, filter, MOST_FOUND);
    return hits.map(({ productId }) => productId);
  }

  /** Puts the products into a map; null for one that can't be shown. */
  async load(request: Loaded): Promise<void> {
    const { size, atOnce } = this.documents.shared ? READS.shared : READS.here;
    for (let from = 0; from < request.ids.length; from += size * atOnce) {
      const starts = Array.from({ length: atOnce }, (_, read) => from + read * size);
      await Promise.all(starts.map((start) => this.read({ ...request, ids: request.ids.slice(start, start + size) })));
      // Lets requests run in between.
      await nextTurn();
    }
  }

  private async read({ store, channel, ids, into }: Loaded): Promise<void> {
    if (ids.length === 0) return;
    const [records, features] = await Promise.all([
      this.records.read(store.id, ids),
      this.records.features(store.id, ids),
    ]);
    ids.forEach((id, index) => {
      const shown = shownIn(records[index] ?? null, channel, store);
      const known = features.get(id) ?? { id, f: [], t: '' };
      into.set(id, shown ? sponsoredProduct(shown.product, shown.seller, known) : null);
    });
  }
}
