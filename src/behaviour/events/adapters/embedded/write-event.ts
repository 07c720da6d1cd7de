import type { Statements } from '../../../../storage/sqlite/sqlite';
import { markDirty } from './pending-markers';
import type { EventRecord } from '../event-record';
import { EVENT_COLUMNS } from './event-row';

/**
 * An event, and what follows from it: it is found by the products it waits for, and its shopper has something to aggregate. `seq`: its
 * number elsewhere, which then is written over; null: the next one. Answers the number.
 */
export function writeEvent(sql: Statements, event: EventRecord, seq: number | null = null): number {
  const counted = event.evidence !== null && event.shopper !== null;
  sql.run(
    `INSERT OR REPLACE INTO event (${EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    seq,
    event.store,
    event.shopper,
    counted ? 1 : 0,
    event.name,
    event.at,
    event.received,
    event.verdict,
    event.user,
    event.device,
    event.waiting.length > 0 ? JSON.stringify(event.waiting) : null,
    event.evidence,
    event.body,
  );
  const written = seq ?? Number(sql.one('SELECT last_insert_rowid()')?.[0]);
  for (const product of event.waiting) {
    sql.run(
      'INSERT OR IGNORE INTO event_pending (store, product, seq) VALUES (?, ?, ?)',
      event.store,
      product,
      written,
    );
  }
  if (counted) markDirty(sql, event.store, String(event.shopper), event.received);
  return written;
}
