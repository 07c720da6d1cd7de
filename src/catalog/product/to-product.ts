import type { CatalogRecord } from '../records/catalog-records';
import { categoriesOf } from './categories';
import { type ChannelView, viewIn } from './channel-view';
import type { Product, Sent, Sku } from './product';
import { listOf, numberOf, objectOf, textOf, textsByName, timeOf } from './sent-values';
import { detailsOf, installmentOf, labelOf, skusOf, structuredDetailsOf } from './skus';

/** A rating sent as a bare number does not say how many gave it: it weighs as much as the usual prior. */
const VOTES_OF_A_BARE_RATING = 10;

/**
 * The product as it is in a sales channel (null: in every channel that has no version of its own). Null where it isn't in that channel,
 * was removed, or lacks what a searchable product needs.
 */
export function toProduct(record: CatalogRecord, channel: string | null): Product | null {
  const view = viewIn(record, channel);
  const searchable = view && !view.removed && missingFields(view.sent).length === 0;
  return searchable ? productOf(record.productId, view) : null;
}

/** Why searches in this channel can't find the product, one sentence each; empty where they can. */
export function problems(record: CatalogRecord, channel: string): string[] {
  const view = viewIn(record, channel);
  if (!view) return [`the product is not in the sales channel "${channel}"`];
  return view.removed ? ['the product was removed'] : missingFields(view.sent);
}

/** The fields a searchable product has and this one lacks. Its `id` is never missing, since it is stored by it. */
function missingFields(sent: Sent): string[] {
  const there: [string, boolean][] = [
    ['name', textOf(sent['name']) !== null],
    ['url', textOf(sent['url']) !== null],
    ['price', numberOf(sent['price']) !== null],
    ['images.default', textOf(objectOf(sent['images'])?.['default']) !== null],
    ['categories', categoriesOf(sent['categories']).length > 0],
    ['status', textOf(sent['status']) !== null],
  ];
  return there.filter(([, present]) => !present).map(([field]) => `${field} is missing`);
}

function productOf(id: string, { sent, firstReceivedAt }: ChannelView): Product {
  const price = numberOf(sent['price']) ?? 0;
  const available = textOf(sent['status'])?.toLowerCase() === 'available';
  const stock = numberOf(sent['stock']);
  const eanCode = textOf(sent['eanCode']);
  const skus = skusOf(sent, { id, available, stock, eanCode });
  const business = sent['customBusiness'];
  return {
    id,
    name: textOf(sent['name']) ?? '',
    url: textOf(sent['url']) ?? '',
    description: textOf(sent['description']) ?? '',
    brand: textOf(sent['brand']),
    price,
    oldPrice: numberOf(sent['oldPrice']),
    installment: installmentOf(sent['installment']) ?? { count: 1, price },
    images: textsByName(sent['images']) ?? {},
    categories: categoriesOf(sent['categories']),
    tags: tagsOf(sent['tags']),
    specs: specsOf(sent['specs'], skus),
    details: detailsOf(sent['details']),
    ...structuredDetailsOf(sent['details']),
    available,
    stock,
    eanCode,
    created: timeOf(sent['created']) ?? firstReceivedAt,
    sold: numberOf(sent['sold']),
    rating: ratingOf(sent['rating']),
    skus,
    ...(business === undefined ? {} : { customBusiness: business }),
  };
}

export function tagsOf(sent: unknown): Product['tags'] {
  return listOf(sent).flatMap((tag) => {
    const object = objectOf(tag);
    const name = labelOf(tag, 'name');
    if (name === null) return [];
    const parents = listOf(object?.['parents']).flatMap((parent) => textOf(parent) ?? []);
    return [{ id: textOf(object?.['id']) ?? name, name, parents }];
  });
}

/** The specs sent; where there are none, the values its SKUs differ in. */
function specsOf(sent: unknown, skus: readonly Sku[]): Product['specs'] {
  const entries = Object.entries(objectOf(sent) ?? {}).map(([name, value]): [string, Product['specs'][string]] => [
    name,
    listOf(value).flatMap(specOf),
  ]);
  if (entries.length > 0) return Object.fromEntries(entries);
  const found = new Map<string, Set<string>>();
  for (const [name, labels] of skus.flatMap((sku) => Object.entries(sku.specs))) {
    found.set(name, new Set([...(found.get(name) ?? []), ...labels]));
  }
  return Object.fromEntries(
    [...found].map(([name, labels]) => [name, [...labels].map((label) => ({ id: label, label }))]),
  );
}

function specOf(value: unknown): Product['specs'][string] {
  const object = objectOf(value);
  const label = labelOf(value, 'label');
  if (label === null) return [];
  const properties = object?.['properties'];
  return [{ id: textOf(object?.['id']) ?? label, label, ...(properties === undefined ? {} : { properties }) }];
}

function ratingOf(sent: unknown): Product['rating'] {
  const object = objectOf(sent);
  const average = numberOf(object ? object['average'] : sent);
  return average === null ? null : { average, count: numberOf(object?.['count']) ?? VOTES_OF_A_BARE_RATING };
}
