import type { Statements } from '../../../../storage/sqlite';
import { link, markDirty, rememberErased } from './event-marks';
import { EVENT_COLUMNS, type EventRow } from './event-row';

/** An event as it was elsewhere. */
export interface RestoredEvent extends Omit<EventRow, 'clientTime' | 'userHashes' | 'onceKeys'> {
  seq: number;
}

/** With what follows from it: its shopper has something to fold, its device is known with its user. */
function restoreEvent(sql: Statements, event: RestoredEvent): void {
  const counted = event.evidence !== null && event.shopper !== null;
  sql.run(
    `INSERT OR REPLACE INTO event (${EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    event.seq,
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
  for (const product of event.waiting) {
    sql.run(
      'INSERT OR IGNORE INTO event_pending (store, product, seq) VALUES (?, ?, ?)',
      event.store,
      product,
      event.seq,
    );
  }
  if (counted) markDirty(sql, event.store, String(event.shopper), event.received);
  if (event.user !== null && event.device !== null && event.verdict !== 'bot') link(sql, event);
}

export interface RestoredLog {
  events: RestoredEvent[];
  keys: { store: string; key: string }[];
  erased: { store: string; user: string; at: number }[];
}

export function restoreLog(sql: Statements, { events, keys, erased }: RestoredLog): null {
  for (const event of events) restoreEvent(sql, event);
  for (const { store, key } of keys) sql.run('INSERT OR IGNORE INTO event_key (store, key) VALUES (?, ?)', store, key);
  for (const one of erased) rememberErased(sql, one);
  return null;
}
