import type { CatalogRecord } from '../../catalog/records/catalog-records';
import { viewIn } from '../../catalog/product/channel-view';
import type { Product } from '../../catalog/product/product';
import { objectOf, textOf } from '../../catalog/product/sent-values';
import { toProduct } from '../../catalog/product/to-product';
import type { Store } from '../../stores/store';

/** A product that may be shown in a sales channel. */
export interface ShownProduct {
  product: Product;
  /** Who sells it, where the record says so (`seller`, or `customBusiness.seller`: a name, or an object with one); else empty. */
  seller: string;
}

/** Null where it is not in that channel, not available, or lacks what a card needs. */
export function shownIn(record: CatalogRecord | null, channel: string, { settings }: Store): ShownProduct | null {
  const product = record ? toProduct(record, channel, settings) : null;
  if (!record || !product?.available) return null;
  const sent = viewIn(record, channel)?.sent ?? {};
  return { product, seller: sellerIn(sent['seller']) ?? sellerIn(objectOf(sent['customBusiness'])?.['seller']) ?? '' };
}

function sellerIn(sent: unknown): string | null {
  const object = objectOf(sent);
  return object ? (textOf(object['name']) ?? textOf(object['id'])) : textOf(sent);
}
