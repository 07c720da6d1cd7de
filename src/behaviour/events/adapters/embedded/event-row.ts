import type { SqlRow, Statements } from '../../../../storage/sqlite/sqlite';
import type { StoredEvent } from '../../event-log';
import { type EventRecord, storedEventOf } from '../event-record';
import { EmbeddedSnapshots } from './embedded-snapshots';

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

/** Events of rows of `EVENT_COLUMNS`, with the features of their products. */
export function eventsOf(sql: Statements, rows: readonly SqlRow[]): StoredEvent[] {
  const records = rows.map(recordIn);
  const evidence = EmbeddedSnapshots.of(sql).evidence(records);
  return records.map((record, index) => storedEventOf(Number(rows[index]?.[0]), record, evidence[index] ?? null));
}

function recordIn(row: SqlRow): EventRecord {
  const [, store, shopper, , name, at, received, verdict, user, device, keyed, address, waiting, evidence, body] = row;
  return {
    ...({ store, shopper, name, at, received, verdict, user, device, address, evidence, body } as Omit<
      EventRecord,
      'waiting' | 'keyed'
    >),
    keyed: keyed === 1,
    waiting: waiting === null ? [] : (JSON.parse(String(waiting)) as string[]),
  };
}
