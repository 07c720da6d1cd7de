import type { CatalogRecord, RecordVersion } from '../records/catalog-records';
import type { Sent } from './product';
import { numberOf, objectOf, objectsOf, textOf } from './sent-values';

/** What a `salesChannels` entry may say differently (contract 5). */
const OVERRIDABLE = ['price', 'oldPrice', 'status', 'stock', 'url', 'installment', 'skus'];

const PRICES = ['price', 'oldPrice', 'installment'];

/** A product as the store sent it, as it is in one sales channel. */
export interface ChannelView {
  /** The record with the channel's overrides; of a removed product, what was sent last. */
  sent: Sent;
  removed: boolean;
  version: number;
  receivedAt: number;
  firstReceivedAt: number;
}

/** `status: "removed"`, in any casing. */
export function isRemoval(sent: Sent): boolean {
  return textOf(sent['status'])?.toLowerCase() === 'removed';
}

/** The entry of a product's `salesChannels` for a channel, if it has one. */
function inlineOverride(base: Sent, channel: string): Sent | null {
  const entries = objectOf(base['salesChannels']);
  const entry = entries && Object.hasOwn(entries, channel) ? objectOf(entries[channel]) : null;
  if (!entry) return null;
  return Object.fromEntries(OVERRIDABLE.flatMap((name) => (Object.hasOwn(entry, name) ? [[name, entry[name]]] : [])));
}

/** Channels in which this product may differ from what was written without a channel. */
export function channelsOf(record: CatalogRecord): string[] {
  return [...new Set([...Object.keys(record.channels), ...channelsNamedBy(record.base?.sent)])].sort();
}

/** Sales channels that a product's own `salesChannels` names. */
export function channelsNamedBy(sent: Sent | null | undefined): string[] {
  return Object.keys(objectOf(sent?.['salesChannels']) ?? {});
}

/** The version of the whole record: its newest. */
export function recordVersion(record: CatalogRecord): number {
  return Math.max(0, ...versionsOf(record).map(({ version }) => version));
}

function versionsOf({ base, channels }: CatalogRecord): RecordVersion[] {
  return [...(base ? [base] : []), ...Object.values(channels)];
}

/**
 * The record as it is in a channel; `channel` null: as it was written without one, overrides not applied. Null where it
 * never was in that channel. What was written for a channel overrides the product's own `salesChannels` entry, which
 * overrides the product.
 */
export function viewIn(record: CatalogRecord, channel: string | null): ChannelView | null {
  const own = channel !== null && Object.hasOwn(record.channels, channel) ? record.channels[channel] : undefined;
  const base = record.base ?? undefined;
  const versions = [base, own].filter((version) => version !== undefined);
  if (versions.length === 0) return null;
  // A tombstone of the product itself hides nothing that was written for the channel since.
  const removed = own ? own.sent === null : base?.sent === null;
  const layers: Sent[] = [];
  if (base && (base.sent !== null || !own?.sent)) layers.push(base.sent ?? base.lastSent);
  const inline = channel !== null && base?.sent ? inlineOverride(base.sent, channel) : null;
  if (inline) layers.push(inline);
  if (own) layers.push(own.sent ?? own.lastSent);
  const sent = layers.reduce(override);
  return {
    sent,
    removed: removed || isRemoval(sent),
    version: Math.max(...versions.map(({ version }) => version)),
    receivedAt: Math.max(...versions.map(({ receivedAt }) => receivedAt)),
    firstReceivedAt: Math.min(...versionsOf(record).map(({ firstReceivedAt }) => firstReceivedAt)),
  };
}

/** Puts one layer over another. A price holds for every SKU the layer doesn't price, and removes what belongs to the old price. */
function override(below: Sent, layer: Sent): Sent {
  const merged: Record<string, unknown> = { ...below, ...layer };
  const price = numberOf(layer['price']);
  const inherited = objectsOf(below['skus']);
  const kept = price === null ? inherited : inherited.map((sku) => without(sku, PRICES));
  if (price !== null) {
    if (!Object.hasOwn(layer, 'installment')) delete merged['installment'];
    if (!Object.hasOwn(layer, 'oldPrice') && (numberOf(below['oldPrice']) ?? 0) <= price) delete merged['oldPrice'];
  }
  const stocked =
    numberOf(layer['stock']) !== null && kept.length === 1 ? kept.map((sku) => without(sku, ['stock'])) : kept;
  const named = objectsOf(layer['skus']);
  if (inherited.length > 0 || named.length > 0) merged['skus'] = mergeSkus(stocked, named);
  return merged;
}

/** A SKU without some of its properties, wherever it holds them. */
function without(sku: Sent, names: readonly string[]): Sent {
  const strip = (sent: Sent): Sent =>
    Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)));
  const properties = objectOf(sku['properties']);
  return properties ? { ...strip(sku), properties: strip(properties) } : strip(sku);
}

function mergeSkus(below: readonly Sent[], layer: readonly Sent[]): Sent[] {
  const named = new Map(layer.map((sku) => [textOf(sku['sku']), sku]));
  const known = new Set(below.map((sku) => textOf(sku['sku'])));
  const overridden = below.map((sku) => {
    const own = named.get(textOf(sku['sku']));
    if (!own) return sku;
    const properties = { ...objectOf(sku['properties']), ...objectOf(own['properties']) };
    return { ...sku, ...own, ...(Object.keys(properties).length > 0 ? { properties } : {}) };
  });
  return [...overridden, ...layer.filter((sku) => !known.has(textOf(sku['sku'])))];
}
