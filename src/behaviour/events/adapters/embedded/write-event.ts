import type { Statements } from '../../../../storage/sqlite/sqlite';
import { isUnproven } from '../../event-log';
import type { EventRecord } from '../event-record';
import { EVENT_COLUMNS } from './event-row';

type WrittenEvent = EventRecord & { idempotencyKeys: readonly string[] };

/**
 * An event, and what follows from it: it is found by the keys that it takes without proof and by the products it waits for, and its shopper
 * has something to aggregate. `seq`: its number elsewhere, which then is written over; null: the next one. Answers the number.
 */
export function writeEvent(sql: Statements, event: WrittenEvent, seq: number | null = null): number {
  const keys = event.idempotencyKeys.filter(isUnproven);
  const counted = event.evidence !== null && event.shopper !== null;
  sql.run(
    `INSERT OR REPLACE INTO event (${EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    event.keyed ? 1 : 0,
    event.address,
    event.waiting.length > 0 ? JSON.stringify(event.waiting) : null,
    event.evidence,
    event.body,
    keys.length > 0 ? JSON.stringify(keys) : null,
  );
  const written = seq ?? Number(sql.one('SELECT last_insert_rowid()')?.[0]);
  const take = 'INSERT OR REPLACE INTO event_key (store, key, seq) VALUES (?, ?, ?)';
  for (const key of keys) sql.run(take, event.store, key, written);
  const waits = 'INSERT OR IGNORE INTO event_pending (store, product, seq) VALUES (?, ?, ?)';
  for (const product of event.waiting) sql.run(waits, event.store, product, written);
  if (counted) markDirty(sql, event.store, String(event.shopper), event.received);
  return written;
}

/** Its vector lacks events received since then. */
export function markDirty(sql: Statements, store: string, shopper: string, since: number): void {
  sql.run('INSERT OR IGNORE INTO profile_dirty (store, shopper, since) VALUES (?, ?, ?)', store, shopper, since);
}

/** A device was seen with a user. */
export function link(sql: Statements, { store, user, device, received }: EventRecord): void {
  const add = `INSERT INTO event_link (store, user, device, first, last) VALUES (?1, ?2, ?3, ?4, ?4)
     ON CONFLICT DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)`;
  sql.run(add, store, user, device, received);
}

/** `user`: the keyed hash of the erased user. */
export function rememberErased(sql: Statements, erased: { store: string; user: string; at: number }): void {
  const add = `INSERT INTO event_erased (store, user, at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)`;
  sql.run(add, erased.store, erased.user, erased.at);
}
