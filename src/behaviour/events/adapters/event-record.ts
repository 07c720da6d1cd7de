import type { ShopperKey } from '../../shoppers/shopper';
import type { Evidence, EventVerdict, StoredEvent } from '../event-log';
import { storedEvidence } from './stored-evidence';

/** An event under the names both logs store it by; `evidence` and `body` are JSON text, `waiting` the products its evidence lacks. */
export interface EventRecord {
  store: string;
  shopper: ShopperKey | null;
  name: string;
  at: number;
  received: number;
  verdict: EventVerdict;
  user: string | null;
  device: string | null;
  keyed: boolean;
  address: string | null;
  waiting: string[];
  evidence: string | null;
  body: string;
}

export function recordOf(event: Omit<StoredEvent, 'seq'>): EventRecord {
  const { store, shopper, name, at, verdict, evidence } = event;
  return {
    store,
    shopper,
    name,
    at,
    received: event.receivedAt,
    verdict,
    user: event.userId,
    device: event.deviceId,
    // An export of a version that kept neither has none.
    keyed: event.keyed ?? false,
    address: event.addressHash ?? null,
    waiting: event.pendingProducts,
    evidence: evidence === null ? null : JSON.stringify(storedEvidence(evidence)),
    body: JSON.stringify(event.body),
  };
}

/** `evidence`: that of the record, with the features of its products. */
export function storedEventOf(seq: number, record: EventRecord, evidence: Evidence | null): StoredEvent {
  return {
    seq,
    store: record.store,
    shopper: record.shopper,
    name: record.name,
    at: record.at,
    receivedAt: record.received,
    verdict: record.verdict,
    userId: record.user,
    deviceId: record.device,
    keyed: record.keyed,
    addressHash: record.address,
    pendingProducts: record.waiting,
    evidence,
    body: JSON.parse(record.body) as StoredEvent['body'],
  };
}
