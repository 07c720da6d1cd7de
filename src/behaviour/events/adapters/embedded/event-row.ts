import type { SqlRow } from '../../../../storage/sqlite/sqlite';
import type { StoredEvent } from '../../event-log';
import { type EventRecord, storedEventOf } from '../event-record';

/** An event as it crosses to the writer thread. */
export interface EventRow extends EventRecord {
  clientTime: number | null;
  userHashes: string[];
  /** In their namespace. */
  idempotencyKeys: string[];
}

export const WRITTEN =
  'store, shopper, counted, name, at, received, verdict, user, device, keyed, address, waiting, evidence, body, keys';
export const EVENT_COLUMNS = `seq, ${WRITTEN}`;

export function eventOf(row: SqlRow): StoredEvent {
  const [seq, store, shopper, , name, at, received, verdict, user, device, keyed, address, waiting, evidence, body] =
    row;
  return storedEventOf(Number(seq), {
    ...({ store, shopper, name, at, received, verdict, user, device, address, evidence, body } as Omit<
      EventRecord,
      'waiting' | 'keyed'
    >),
    keyed: keyed === 1,
    waiting: waiting === null ? [] : (JSON.parse(String(waiting)) as string[]),
  });
}
