import { numberOf, objectOf } from '../../product/sent-values';
import type { FeedRow } from '../formats/feed-format';

/** What is the same for all of a group, from its first item that says it. */
const SHARED = ['name', 'description', 'brand', 'categories', 'url', 'images', 'details', 'created', 'tags'];
const OF_SKU = ['name', 'url', 'images', 'status', 'price', 'oldPrice', 'installment', 'stock', 'eanCode', 'details'];
const OFFER = ['price', 'oldPrice', 'installment'];

/** The items of a group as one product with them as its SKUs; its offer is the cheapest one that can be bought. */
export function googleGroup(productId: string, items: readonly FeedRow[]): Record<string, unknown> {
  const available = items.filter(({ status }) => status === 'available');
  const offer = cheapest(available.length > 0 ? available : items);
  const status = available.length > 0 ? 'available' : items.find((item) => item['status'] !== undefined)?.['status'];
  return {
    id: productId,
    ...firstOf(items, SHARED),
    ...pick(offer, OFFER),
    ...(status === undefined ? {} : { status }),
    ...(items.some((item) => item['specs'] !== undefined) ? { specs: specsOf(items) } : {}),
    skus: items.map((item) => ({
      sku: item['id'],
      ...(item['specs'] === undefined ? {} : { specs: item['specs'] }),
      properties: pick(item, OF_SKU),
    })),
  };
}

function cheapest(items: readonly FeedRow[]): FeedRow {
  const priceOf = ({ price }: FeedRow): number => numberOf(price) ?? Infinity;
  return items.reduce<FeedRow>((best, item) => (priceOf(item) < priceOf(best) ? item : best), items[0] ?? {});
}

function pick(item: FeedRow, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])));
}

function firstOf(items: readonly FeedRow[], names: readonly string[]): Record<string, unknown> {
  return Object.assign({}, ...items.toReversed().map((item) => pick(item, names))) as Record<string, unknown>;
}

/** Every value that a variant has. */
function specsOf(items: readonly FeedRow[]): Record<string, unknown[]> {
  const values = new Map<string, Set<unknown>>();
  for (const [name, value] of items.flatMap((item) => Object.entries(objectOf(item['specs']) ?? {}))) {
    const known = values.get(name) ?? new Set();
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) known.add(one);
    values.set(name, known);
  }
  return Object.fromEntries(Array.from(values, ([name, known]) => [name, [...known]]));
}
