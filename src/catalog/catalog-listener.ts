import type { Store } from '../stores/store';

/** Told of products after their records and their index entries are durable. */
export abstract class CatalogListener {
  abstract productsArrived(store: Store, productIds: string[]): Promise<void>;
}
