import type { SqlRow } from '../../../../storage/sqlite/sqlite';
import type { ShopperKey } from '../../../shoppers/shopper';
import type { EventVerdict, StoredEvent } from '../../event-log';

/** An event as it crosses to the writer thread. */
export interface EventRow {
  store: string;
  shopper: ShopperKey | null;
  name: string;
  at: number;
  received: number;
  clientTime: number | null;
  verdict: EventVerdict;
  user: string | null;
  device: string | null;
  userHashes: string[];
  idempotencyKeys: string[];
  waiting: string[];
  /** JSON text. */
  evidence: string | null;
  body: string;
}

export const WRITTEN = 'store, shopper, counted, name, at, received, verdict, user, device, waiting, evidence, body';
export const EVENT_COLUMNS = `seq, ${WRITTEN}`;

export function eventOf(row: SqlRow): StoredEvent {
  const [seq, store, shopper, , name, at, received, verdict, user, device, waiting, evidence, body] = row;
  return {
    seq: Number(seq),
    store: String(store),
    shopper: shopper as ShopperKey | null,
    name: String(name),
    at: Number(at),
    receivedAt: Number(received),
    verdict: verdict as EventVerdict,
    userId: user as string | null,
    deviceId: device as string | null,
    pendingProducts: waiting === null ? [] : (JSON.parse(String(waiting)) as string[]),
    evidence: evidence === null ? null : (JSON.parse(String(evidence)) as StoredEvent['evidence']),
    body: JSON.parse(String(body)) as StoredEvent['body'],
  };
}
