import type { CatalogRecord } from '../../catalog/records/catalog-records';
import { viewIn } from '../../catalog/product/channel-view';
import type { Product } from '../../catalog/product/product';
import { objectOf, textOf } from '../../catalog/product/sent-values';
import { toProduct } from '../../catalog/product/to-product';

/** A product that may be shown in a sales channel. */
export interface ShownProduct {
  product: Product;
  /** From `seller` or `customBusiness.seller` of the record, a name or an object with one; empty where there is neither. */
  seller: string;
}

/** Null where the product is not in the channel, not available, or lacks what a card needs. */
export function shownIn(record: CatalogRecord | null, channel: string): ShownProduct | null {
  const product = record ? toProduct(record, channel) : null;
  if (!record || !product?.available) return null;
  const sent = viewIn(record, channel)?.sent ?? {};
  return { product, seller: sellerIn(sent['seller']) ?? sellerIn(objectOf(sent['customBusiness'])?.['seller']) ?? '' };
}

function sellerIn(sent: unknown): string | null {
  const object = objectOf(sent);
  return object ? (textOf(object['name']) ?? textOf(object['id'])) : textOf(sent);
}
