import { hash } from 'node:crypto';
import { shopperOf } from '../../../shoppers/shopper';
import type { NewEvent, StoredEvent } from '../../event-log';
import { type EventRecord, recordOf, storedEventOf } from '../event-record';
import type { ElasticSnapshots } from './elastic-snapshots';

/** An event as it is stored. Moved to another shopper or completed, it is written over under a new `seq`. */
export interface EventDocument extends EventRecord {
  seq: number;
  counted: boolean;
  /** Under which it counts once, in their namespace. */
  keys: string[];
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

/** `shopper`: whose event it is, where that is not told by the event itself. */
export function documentOf(event: NewEvent, seq: number, shopper = shopperOf(event)): EventDocument {
  const counted = event.evidence !== null && shopper !== null;
  return { seq, counted, keys: event.idempotencyKeys, ...recordOf({ ...event, shopper }) };
}

/** With the features of their products; one read for those that are not in memory. */
export async function eventsOf(
  snapshots: Pick<ElasticSnapshots, 'evidence'>,
  documents: readonly EventDocument[],
): Promise<StoredEvent[]> {
  const evidence = await snapshots.evidence(documents);
  return documents.map((document, index) => {
    // Of what came before that was kept, nothing proves who sent it.
    const { keyed = false, address = null } = document as Partial<EventDocument>;
    return storedEventOf(document.seq, { ...document, keyed, address }, evidence[index] ?? null);
  });
}
