import { objectOf } from '../../catalog/product/sent-values';
import type { StoreSettings } from '../../stores/store-settings';
import { money, type Money, roundHalfUp } from './money';
import type { ShownProduct } from './shown-product';

/** One card (contract section 7): strings where strings are due, and integers where integers are. */
export interface ShowcaseItem {
  link: string;
  px: string;
  installment: { months: number; amount: Money };
  hasSuperAds: '0' | '1';
  hasRetarget: '0' | '1';
  /** Before a discount. */
  price: Money;
  salePrice: Money;
  imageLink: string;
  customFields: Readonly<Record<string, unknown>>;
  discount: { value: string; symbol: '%'; formattedValue: string };
  title: string;
  description: string;
  categories: string[];
  brand: string;
  id: string;
  seller: string;
}

export interface ItemContext {
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
