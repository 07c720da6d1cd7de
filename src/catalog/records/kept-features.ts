import type { ProductFeatures } from '../../ranking/vectors/features';
import { growingCache } from '../../shared/growing-cache';

/** Events name the same products again and again; reading their features was a seventh of the work of an event. */
const MOST = 20_000;
/** Milliseconds, since another process may write too; this one's writes are seen at once. */
const KEPT_FOR = 30_000;

const keyOf = (store: string, productId: string): string => `${store}\n${productId}`;

/** Features that were read a moment ago. */
export class KeptFeatures {
  private readonly kept = growingCache<ProductFeatures>(MOST, { ttl: KEPT_FOR });

  /** Features by product id, of the products that are known. `load` reads those that are not in memory. */
  async read(
    store: string,
    productIds: readonly string[],
    load: (missing: string[]) => Promise<ProductFeatures[]> | ProductFeatures[],
  ): Promise<Map<string, ProductFeatures>> {
    const found = new Map<string, ProductFeatures>();
    const missing: string[] = [];
    for (const productId of new Set(productIds)) {
      const features = this.kept.get(keyOf(store, productId));
      if (features) found.set(productId, features);
      else missing.push(productId);
    }
    for (const features of missing.length > 0 ? await load(missing) : []) {
      found.set(features.id, features);
      this.kept.set(keyOf(store, features.id), features);
    }
    return found;
  }

  forget(store: string, productId: string): void {
    this.kept.delete(keyOf(store, productId));
  }

  clear(): void {
    this.kept.clear();
  }
}
