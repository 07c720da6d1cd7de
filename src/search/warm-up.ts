import { Injectable, Logger } from '@nestjs/common';
import { CatalogRecords } from '../catalog/records/catalog-records';
import { toProduct } from '../catalog/product/to-product';
import type { Store } from '../stores/store';
import { StoresService } from '../stores/stores.service';
import { searchParameters } from './search-parameters';
import { ProductFinder } from './product-finder';

/** Milliseconds that a start takes longer at most. */
const WITHIN_MS = 3000;
/** Milliseconds of the searches of a store once all is compiled, and how many stores in a row say that it is. */
const WARM_MS = 50;
const WARM_STORES = 3;

/**
 * The first searches of a process, made by itself before it takes requests: they compile its code, and that of the cluster, and fill what all
 * stores share. Without it a replica that is started under load answers its first searches ten times slower than later ones. Nothing is noted
 * of them.
 */
@Injectable()
export class WarmUp {
  private readonly logger = new Logger('Search');

  constructor(
    private readonly stores: StoresService,
    private readonly finder: ProductFinder,
    private readonly records: CatalogRecords,
  ) {}

  /** Searches one store after the other, until that is as quick as it gets. Never fails: whoever starts may serve without. */
  async run(): Promise<void> {
    const until = performance.now() + WITHIN_MS;
    let warm = 0;
    try {
      for (const store of this.stores.all()) {
        const begun = performance.now();
        if (warm === WARM_STORES || begun >= until) break;
        await this.search(store, until);
        warm = performance.now() - begun < WARM_MS ? warm + 1 : 0;
      }
    } catch (error) {
      this.logger.warn(`The first searches were not made before requests are taken: ${String(error)}`);
    }
  }

  /** Everything, and one product by its name. */
  private async search(store: Store, until: number): Promise<void> {
    const all = searchParameters.parse({});
    const { result } = await this.finder.find({ store, parameters: all, until, unseen: true });
    const [hit] = result.hits;
    if (!hit) return;
    const [record] = await this.records.read(store.id, [hit.productId]);
    const name = record ? toProduct(record, hit.channel)?.name : undefined;
    if (name === undefined) return;
    await this.finder.find({ store, parameters: { ...all, terms: name }, until, unseen: true });
  }
}
