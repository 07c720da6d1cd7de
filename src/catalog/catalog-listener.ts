import type { Store } from '../stores/store';

/** Is told of products once their records and their index entries are durable. */
export abstract class CatalogListener {
  abstract productsArrived(store: Store, productIds: string[]): Promise<void>;
}
