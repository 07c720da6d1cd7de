import { viewIn } from '../../catalog/product/channel-view';
import type { Product } from '../../catalog/product/product';
import { objectOf, textOf } from '../../catalog/product/sent-values';
import { toProduct } from '../../catalog/product/to-product';
import type { CatalogRecord } from '../../catalog/records/catalog-records';
import type { StoreSettings } from '../../stores/store-settings';
import { money, roundHalfUp } from './money';
import type { ShowcaseItem } from './reply-schemas';

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

/** `ad`: what the card has of the campaign. `hasRetarget`: the shopper has shown interest in this very product. */
export function showcaseItem(
  { product, seller }: ShownProduct,
  settings: Pick<StoreSettings, 'locale' | 'currency'>,
  ad: Pick<ShowcaseItem, 'link' | 'px' | 'hasSuperAds' | 'hasRetarget'>,
): ShowcaseItem {
  const { price, oldPrice } = product;
  const before = oldPrice !== null && oldPrice > price ? oldPrice : price;
  const { count, price: each } = product.installment ?? { count: 1, price };
  const off = roundHalfUp(before > 0 ? (100 * (before - price)) / before : 0, 0);
  return {
    link: ad.link,
    px: ad.px,
    installment: { months: Math.max(1, Math.trunc(count)), amount: money(each, settings) },
    hasSuperAds: ad.hasSuperAds,
    hasRetarget: ad.hasRetarget,
    price: money(before, settings),
    salePrice: money(price, settings),
    imageLink: product.images['default'] ?? '',
    customFields: objectOf(product.customBusiness) ?? {},
    discount: { value: off, symbol: '%', formattedValue: `${off}%` },
    title: product.name,
    description: product.description,
    categories: product.categories.map(({ name }) => name),
    brand: product.brand ?? '',
    id: product.id,
    seller,
  };
}
