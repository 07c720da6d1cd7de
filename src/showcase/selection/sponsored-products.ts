import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import { Documents } from '../../documents/documents';
import type { Store } from '../../stores/store';
import { shownIn } from '../reply/showcase-item';
import { type SponsoredProduct, sponsoredProduct } from './inventory';

/** Products in one read, and reads at a time: the embedded database holds up this process, a server answers several reads at once. */
const READS = { here: { size: 100, atOnce: 1 }, shared: { size: 250, atOnce: 4 } };

/** Reads the products that campaigns name. */
@Injectable()
export class SponsoredProducts {
  constructor(
    private readonly records: CatalogRecords,
    private readonly documents: Documents,
  ) {}

  /** In the order of the ids; null for one that can't be shown. */
  async read(store: Store, channel: string, ids: string[]): Promise<(SponsoredProduct | null)[]> {
    const { size, atOnce } = this.documents.shared ? READS.shared : READS.here;
    const products: (SponsoredProduct | null)[] = [];
    for (let from = 0; from < ids.length; from += size * atOnce) {
      const starts = Array.from({ length: atOnce }, (_, read) => from + read * size);
      const parts = starts.map((start) => this.readPart(store, channel, ids.slice(start, start + size)));
      products.push(...(await Promise.all(parts)).flat());
      // Lets requests run in between.
      await nextTurn();
    }
    return products;
  }

  private async readPart(store: Store, channel: string, ids: string[]): Promise<(SponsoredProduct | null)[]> {
    if (ids.length === 0) return [];
    const [records, features] = await Promise.all([
      this.records.read(store.id, ids),
      this.records.features(store.id, ids),
    ]);
    return ids.map((id, index) => {
      const shown = shownIn(records[index] ?? null, channel);
      return shown && sponsoredProduct(shown.product, shown.seller, features.get(id) ?? { id, f: [], t: '' });
    });
  }
}
