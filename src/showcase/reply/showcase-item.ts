import { objectOf } from '../../catalog/product/sent-values';
import type { StoreSettings } from '../../stores/store-settings';
import { money, roundHalfUp } from './money';
import type { ShowcaseItem } from './reply-schemas';
import type { ShownProduct } from './shown-product';

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
