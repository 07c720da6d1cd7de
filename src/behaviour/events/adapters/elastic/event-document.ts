import { hash } from 'node:crypto';
import { deviceKey, type ShopperKey, userKey } from '../../../shoppers/shopper';
import type { EventVerdict, NewEvent, StoredEvent } from '../../event-log';

/** An event as it is stored. Moved to another shopper or completed, it is written over under a new `seq`. */
export interface EventDocument {
  seq: number;
  store: string;
  shopper: ShopperKey | null;
  counted: boolean;
  name: string;
  at: number;
  received: number;
  verdict: EventVerdict;
  user: string | null;
  device: string | null;
  /** Products its evidence lacks. */
  waiting: string[];
  /** Under which it counts once. */
  keys: string[];
  /** JSON text, as is `body`: no depth, key or number of it means anything to the server. */
  evidence: string | null;
  body: string;
}

/** Where an event is stored: `<name of its index>/<id>`, without what begins the names of all indices. */
export type EventLocation = `${string}/${string}`;

export const FAMILY = 'events';
/** Months of their own; what is said to be from before or after shares an index with its like. */
const MONTHS = { from: Date.UTC(2020, 0), to: Date.UTC(2100, 0) };

/** By the month an event happened in, UTC. */
export function indexOf(at: number): string {
  if (at < MONTHS.from) return `${FAMILY}-early`;
  if (at >= MONTHS.to) return `${FAMILY}-late`;
  return `${FAMILY}-${new Date(at).toISOString().slice(0, 7)}`;
}

/** Where an event goes: to the same location again for the same first key, as far as it happened in the same month. */
export function locationOf(
  { store, at, idempotencyKeys: [key] }: Pick<NewEvent, 'store' | 'at' | 'idempotencyKeys'>,
  seq: number,
): EventLocation {
  const id = key === undefined ? seq.toString(36) : hash('sha256', JSON.stringify([store, key]), 'base64url');
  return `${indexOf(at)}/${id}`;
}

export function targetOf(location: EventLocation): { index: string; id: string } {
  const slash = location.indexOf('/');
  return { index: location.slice(0, slash), id: location.slice(slash + 1) };
}

export function shopperOf({ userId, deviceId }: Pick<NewEvent, 'userId' | 'deviceId'>): ShopperKey | null {
  if (userId !== null) return userKey(userId);
  return deviceId === null ? null : deviceKey(deviceId);
}

export function documentOf(event: NewEvent, seq: number, shopper: ShopperKey | null): EventDocument {
  return {
    seq,
    store: event.store,
    shopper,
    counted: event.evidence !== null && shopper !== null,
    name: event.name,
    at: event.at,
    received: event.receivedAt,
    verdict: event.verdict,
    user: event.userId,
    device: event.deviceId,
    waiting: event.pendingProducts,
    keys: event.idempotencyKeys,
    evidence: event.evidence === null ? null : JSON.stringify(event.evidence),
    body: JSON.stringify(event.body),
  };
}

export function eventOf(document: EventDocument): StoredEvent {
  const { evidence } = document;
  return {
    seq: document.seq,
    store: document.store,
    shopper: document.shopper,
    name: document.name,
    at: document.at,
    receivedAt: document.received,
    verdict: document.verdict,
    userId: document.user,
    deviceId: document.device,
    pendingProducts: document.waiting,
    evidence: evidence === null ? null : (JSON.parse(evidence) as StoredEvent['evidence']),
    body: JSON.parse(document.body) as StoredEvent['body'],
  };
}
