import { LRUCache } from 'lru-cache';
import type { ProductFeatures } from '../../ranking/features';

/** Events name the same products again and again; reading their features was a seventh of the work of an event. */
const MOST = 20_000;
/** Milliseconds, since another process may write too; this one's writes are seen at once. */
const KEPT_FOR = 30_000;

const keyOf = (store: string, productId: string): string => `${store}\n${productId}`;

/** Features that were read a moment ago. */
export class KeptFeatures {
  private readonly kept = new LRUCache<string, ProductFeatures>({ max: MOST, ttl: KEPT_FOR });

  get(store: string, productId: string): ProductFeatures | undefined {
    return this.kept.get(keyOf(store, productId));
  }

  set(store: string, features: ProductFeatures): void {
    this.kept.set(keyOf(store, features.id), features);
  }

  forget(store: string, productId: string): void {
    this.kept.delete(keyOf(store, productId));
  }

  clear(): void {
    this.kept.clear();
  }
}
