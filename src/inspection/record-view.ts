import { z } from 'zod';
import type { CatalogRecord } from '../catalog/records/catalog-records';
import { channelsOf, type ChannelView, viewIn } from '../catalog/product/channel-view';
import type { Sent } from '../catalog/product/product';
import { objectOf, objectsOf } from '../catalog/product/sent-values';

/** What of a record the service says itself. */
const recordMeta = z.object({
  version: z.int(),
  receivedAt: z.iso.datetime(),
  indexedAt: z.iso.datetime().nullable().describe('Null: this version is not in the index'),
  searchable: z.boolean(),
  salesChannel: z.string(),
  problems: z.array(z.string()).describe('Why searches do not find it, or not as it is here'),
});
export type RecordMeta = z.infer<typeof recordMeta>;

export const inspected = z.looseObject({ _meta: recordMeta });
export type Inspected = Sent & { _meta: RecordMeta };

/**
 * The record as it is in a channel. Null: it is not in that channel. A product that is left in no channel is shown as it was
 * sent last, with `status: "removed"`.
 */
export function shownIn(record: CatalogRecord, channel: string): ChannelView | null {
  const view = viewIn(record, channel);
  if (!view?.removed) return view;
  const elsewhere = [null, ...channelsOf(record)].some((other) => viewIn(record, other)?.removed === false);
  return elsewhere ? null : { ...view, sent: { ...view.sent, status: 'removed' } };
}

/** The SKUs of a product as sent; null: it was sent without any, so that it is its only one. */
export function skusIn(record: CatalogRecord, { sent }: Pick<ChannelView, 'sent'>): Sent[] | null {
  if (sent['skus'] === undefined || sent['skus'] === null) return null;
  const common = objectsOf(viewIn(record, null)?.sent['skus']);
  return objectsOf(sent['skus']).map((sku) => {
    const before = common.find((one) => idOf(one) === idOf(sku));
    return before ? priced(sku, before, sent['price']) : sku;
  });
}

export function skuById(skus: readonly Sent[], skuId: string): Sent | undefined {
  return skus.find((sku) => idOf(sku) === skuId);
}

const idOf = (sku: Sent): string => String(sku['sku']);

/** A channel's price holds for every SKU it doesn't name, and takes the place of the one that was sent for all channels. */
function priced(sku: Sent, before: Sent, price: unknown): Sent {
  const fill = (now: Sent, then: Sent): Sent => {
    if (!Object.hasOwn(then, 'price') || Object.hasOwn(now, 'price')) return now;
    // Where it stood, so that the order of the keys stays the one sent.
    const kept = Object.keys(then).flatMap((key): [string, unknown][] => {
      if (key === 'price') return [[key, price]];
      return Object.hasOwn(now, key) ? [[key, now[key]]] : [];
    });
    return { ...Object.fromEntries(kept), ...now };
  };
  const [now, then] = [objectOf(sku['properties']), objectOf(before['properties'])];
  const filled = fill(sku, before);
  return now && then ? { ...filled, properties: fill(now, then) } : filled;
}
