import type { Evidence, NewEvent } from '../../src/behaviour/events/event-log';
import type { EvidenceKind } from '../../src/ranking/vectors/evidence';
import { productFeatures, type ProductFeatures } from '../../src/ranking/vectors/features';

/** The features of a shoe of a brand. */
export function features(id: string, brand = 'veloz'): ProductFeatures {
  return productFeatures({ id, name: `Shoe ${id}`, brand, categories: [['Moda', 'Calçados']], price: 100 });
}

export function evidence(at: number, kind: EvidenceKind, ...products: ProductFeatures[]): Evidence {
  return { at, kind, items: products.map((product) => ({ product })) };
}

/** A counted product view of user `ana`; a test names only what matters to it. */
export function anEvent(changes: Partial<NewEvent> = {}): NewEvent {
  const at = changes.at ?? 1_000_000;
  return {
    store: 's1',
    name: 'product',
    at,
    receivedAt: at,
    clientTime: null,
    userId: 'ana',
    deviceId: null,
    keyed: false,
    addressHash: null,
    userHashes: [],
    idempotencyKeys: [],
    verdict: 'counted',
    evidence: evidence(at, 'product', features('p1')),
    pendingProducts: [],
    body: { pid: 'p1' },
    ...changes,
  };
}
