import type { Statements } from '../../../../storage/sqlite/sqlite';
import { link, rememberErased } from './pending-markers';
import type { EventRecord } from '../event-record';
import { writeEvent } from './write-event';

/** An event as it was elsewhere. */
export interface RestoredEvent extends EventRecord {
  seq: number;
}

/** With what follows from it: its device is known with its user, too. */
function restoreEvent(sql: Statements, event: RestoredEvent): void {
  writeEvent(sql, event, event.seq);
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
