import type { CatalogRecord, RecordVersion } from '../../src/catalog/records/catalog-records';
import type { Sent } from '../../src/catalog/product/product';

/** A product as a store sends it, complete; a test names only what matters to it. Undefined takes a field away. */
export function aProduct(changes: Sent = {}): Record<string, unknown> {
  const product = {
    id: 'tenis-1',
    name: 'Tênis Corrida Veloz',
    url: 'https://loja.example/tenis-1',
    price: 199.9,
    images: { default: 'https://loja.example/tenis-1.jpg' },
    categories: ['Moda > Calçados > Tênis'],
    status: 'available',
    brand: 'Veloz',
    ...changes,
  };
  return Object.fromEntries(Object.entries(product).filter(([, value]) => value !== undefined));
}

export function aVersion(sent: Sent | null, changes: Partial<RecordVersion> = {}): RecordVersion {
  const times = { receivedAt: 2000, firstReceivedAt: 1000 };
  return { sent, lastSent: sent ?? aProduct(), removed: sent === null, version: 1, ...times, ...changes };
}

/** The record of a product: what was written without a channel, and what for each channel (null: removed, absent: never sent). */
export function aRecord(base?: Sent | null, channels: Record<string, Sent | null> = {}): CatalogRecord {
  return {
    productId: 'tenis-1',
    base: base === undefined ? null : aVersion(base),
    channels: Object.fromEntries(
      Object.entries(channels).map(([channel, sent], index) => [channel, aVersion(sent, { version: index + 2 })]),
    ),
  };
}
