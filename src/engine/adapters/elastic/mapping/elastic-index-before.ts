import { IndexBefore } from '../../../index-before';
import type { StoreLocations } from '../locations/store-locations';

/** The index before, with an alias of its own that writes go to: it serves again by one `_aliases` request. */
export class ElasticIndexBefore extends IndexBefore {
  constructor(
    private readonly locations: StoreLocations,
    /** Drops what is known of a store's index. */
    private readonly forget: (store: string) => void,
  ) {
    super();
  }

  override async serveAgain(store: string): Promise<boolean> {
    const done = await this.locations.rollBack(store);
    if (done) this.forget(store);
    return done;
  }

  override removeOld(store: string): Promise<void> {
    return this.locations.removeOld(store);
  }
}
