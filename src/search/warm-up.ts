import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../catalog/records/catalog-records';
import { toProduct } from '../catalog/product/to-product';
import { within } from '../shared/async/within';
import type { Store } from '../stores/store';
import { StoresService } from '../stores/stores.service';
import { ProductFinder } from './product-finder';
import { searchParameters } from './search-parameters';

/** Milliseconds that a start takes longer at most. */
const WITHIN_MS = 3000;
/** Milliseconds of the searches of a store once all is compiled, and how many stores in a row say that it is. */
const WARM_MS = 50;
const WARM_STORES = 3;

/**
 * The first searches of a process, made by itself before it takes requests: they compile its code, and that of the cluster, and fill what all
 * stores share. Without it a replica that is started under load answers its first searches ten times slower than later ones. They leave nothing
 * behind but counts in metrics.
 */
@Injectable()
export class WarmUp {
  constructor(
    private readonly stores: StoresService,
    private readonly finder: ProductFinder,
    private readonly records: CatalogRecords,
  ) {}

  /** Searches each store once, until three in a row are quick. Never fails: whoever starts may serve without. */
  async run(): Promise<void> {
    await within(WITHIN_MS, this.searchAll(performance.now() + WITHIN_MS)).catch(() => undefined);
  }

  private async searchAll(until: number): Promise<void> {
    let warm = 0;
    for (const store of this.stores.all()) {
      const begun = performance.now();
      if (warm === WARM_STORES || begun >= until) return;
      // What is the matter with the index of one store is told elsewhere, and is nothing to the others.
      const hasFound = await this.search(store, until).catch(() => false);
      if (hasFound) warm = performance.now() - begun < WARM_MS ? warm + 1 : 0;
    }
  }

  /** Everything, and one product by its name. False where there is nothing to find. */
  private async search(store: Store, until: number): Promise<boolean> {
    const all = searchParameters.parse({});
    const { result } = await this.finder.find({ store, parameters: all, until, unseen: true });
    const [hit] = result.hits;
    const [record] = hit ? await this.records.read(store.id, [hit.productId]) : [];
    const name = hit && record ? toProduct(record, hit.channel)?.name : undefined;
    if (name === undefined) return false;
    await this.finder.find({ store, parameters: { ...all, terms: name }, until, unseen: true });
    return true;
  }
}
