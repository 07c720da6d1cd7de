import { z } from 'zod';
import type { CatalogRecord } from '../catalog/records/catalog-records';
import { channelsOf, type ChannelView, viewIn } from '../catalog/product/channel-view';
import type { Sent } from '../catalog/product/product';
import { objectOf, objectsOf } from '../catalog/product/sent-values';

/** What the service says about a record. */
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

/** The record as it is in a channel; null where it is not. A product removed from every channel is shown as last sent, `removed`. */
export function shownIn(record: CatalogRecord, channel: string): ChannelView | null {
  const view = viewIn(record, channel);
  if (!view?.removed) return view;
  const elsewhere = [null, ...channelsOf(record)].some((other) => viewIn(record, other)?.removed === false);
  return elsewhere ? null : { ...view, sent: { ...view.sent, status: 'removed' } };
}

/** The SKUs of a product as sent; null where it was sent without any. */
export function skusIn(record: CatalogRecord, { sent }: Pick<ChannelView, 'sent'>): Sent[] | null {
  if (sent['skus'] === undefined || sent['skus'] === null) return null;
  const common = objectsOf(viewIn(record, null)?.sent['skus']);
  return objectsOf(sent['skus']).map((sku) => {
    const before = common.find((each) => String(each['sku']) === String(sku['sku']));
    return before ? priced(sku, before, sent['price']) : sku;
  });
}

/** A channel's price replaces the one of every SKU that names none in that channel, but does outside of it. */
function priced(sku: Sent, before: Sent, price: unknown): Sent {
  const fill = (now: Sent, then: Sent): Sent => {
    if (!Object.hasOwn(then, 'price') || Object.hasOwn(now, 'price')) return now;
    // The keys keep the order they were sent in.
    const filled: Sent = { ...now, price };
    const kept = Object.keys(then).filter((key) => Object.hasOwn(filled, key));
    return { ...Object.fromEntries(kept.map((key) => [key, filled[key]])), ...now };
  };
  const [now, then] = [objectOf(sku['properties']), objectOf(before['properties'])];
  const filled = fill(sku, before);
  return now && then ? { ...filled, properties: fill(now, then) } : filled;
}
