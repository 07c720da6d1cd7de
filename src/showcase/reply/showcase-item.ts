import { objectOf } from '../../catalog/product/sent-values';
import type { StoreSettings } from '../../stores/store-settings';
import { money, roundHalfUp } from './money';
import type { ShowcaseItem } from './reply-schemas';
import type { ShownProduct } from './shown-product';

interface ItemContext {
  settings: Pick<StoreSettings, 'locale' | 'currency'>;
  link: string;
  px: string;
  superAds: boolean;
  /** The shopper has shown interest in this very product. */
  retarget: boolean;
}

export function showcaseItem({ product, seller }: ShownProduct, context: ItemContext): ShowcaseItem {
  const { settings, link, px, superAds, retarget } = context;
  const { price, oldPrice } = product;
  const before = oldPrice !== null && oldPrice > price ? oldPrice : price;
  const { count, price: each } = product.installment ?? { count: 1, price };
  const off = roundHalfUp(before > 0 ? (100 * (before - price)) / before : 0, 0);
  return {
    link,
    px,
    installment: { months: Math.max(1, Math.trunc(count)), amount: money(each, settings) },
    hasSuperAds: superAds ? '1' : '0',
    hasRetarget: retarget ? '1' : '0',
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
