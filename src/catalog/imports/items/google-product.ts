import { listOf, numberOf, objectOf, textOf } from '../../product/sent-values';
import type { FeedFormat, FeedRow } from '../formats/feed-format';
import { storeAmount } from './amounts';
import { statusOf, type TextContext } from './fields';

export const isGoogle = (format: FeedFormat): boolean => format === 'google-xml' || format === 'google-tsv';

/** What tells the variants of a group apart. */
const SPECS = ['color', 'size', 'material', 'pattern', 'gender', 'age_group'];
/** Fields with a place of their own; the others are details. */
const PLACED = new Set(
  `id title description link mobile_link image_link additional_image_link price sale_price sale_price_effective_date availability brand
   product_type google_product_category gtin item_group_id quantity sell_on_google_quantity installment shipping tax`
    .split(/\s+/)
    .concat(SPECS),
);

/** An item of a Google Merchant feed as the fields of a product. Throws for a price in another currency than the store's. */
export function googleProduct(row: FeedRow, { currency, now }: TextContext): Record<string, unknown> {
  const text = (name: string): string | null => textOf(first(row[name]));
  const amount = (name: string): number | string | null => {
    const sent = text(name);
    return sent === null ? null : storeAmount(sent, currency);
  };
  const price = amount('price');
  const sale = amount('sale_price');
  const onSale = sale !== null && isOn(text('sale_price_effective_date'), now);
  const availability = text('availability');
  return present({
    id: text('id'),
    name: text('title'),
    description: text('description'),
    url: text('link'),
    images: imagesOf(row),
    price: onSale ? sale : price,
    oldPrice: onSale ? price : null,
    status: availability === null ? null : statusOf(availability),
    brand: text('brand'),
    categories: categoriesOf(row),
    eanCode: text('gtin'),
    stock: numberOf(text('quantity') ?? text('sell_on_google_quantity')),
    installment: installmentOf(row, currency),
    specs: specsOf(row),
    details: detailsOf(row),
  });
}

/** The fields that are not null. */
const present = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

const first = (value: unknown): unknown => listOf(value)[0];

/** `2026-11-01T00:00-0300/2026-11-30T23:59-0300`; a sale without dates is on. */
function isOn(dates: string | null, now: number): boolean {
  const [from = NaN, to = NaN] = (dates ?? '').split('/').map(timeOf);
  return !(from > now) && !(to < now);
}

/** Zones come as `-0300`, which is no ISO 8601 time of the strict kind. */
const timeOf = (text: string): number => Date.parse(text.trim().replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));

function imagesOf(row: FeedRow): Record<string, string> | null {
  const main = textOf(first(row['image_link']));
  const more = listOf(row['additional_image_link']).flatMap((link) => textOf(link)?.split(',') ?? []);
  const named = more.map((link, index): [string, string] => [`additional${index + 1}`, link.trim()]);
  const entries = [...(main === null ? [] : [['default', main] as const]), ...named];
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

function categoriesOf(row: FeedRow): string | string[] | null {
  const own = listOf(row['product_type']).flatMap((path) => textOf(path) ?? []);
  if (own.length > 1 && own.every((path) => path.includes('>'))) return own;
  return own[0] ?? textOf(first(row['google_product_category']));
}

function installmentOf(row: FeedRow, currency: string): object | null {
  const sent = objectOf(first(row['installment']));
  const count = numberOf(sent?.['months']);
  const amount = textOf(sent?.['amount']);
  return count === null || amount === null ? null : { count, price: storeAmount(amount, currency) };
}

function specsOf(row: FeedRow): Record<string, unknown> | null {
  const specs = present(Object.fromEntries(SPECS.map((name) => [name, row[name] ?? null])));
  return Object.keys(specs).length > 0 ? specs : null;
}

function detailsOf(row: FeedRow): Record<string, unknown> | null {
  const details = Object.fromEntries(Object.entries(row).filter(([name]) => !PLACED.has(name)));
  return Object.keys(details).length > 0 ? details : null;
}
