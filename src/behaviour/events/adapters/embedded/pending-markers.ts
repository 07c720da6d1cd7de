import type { Statements } from '../../../../storage/sqlite/sqlite';
import type { EventRow } from './event-row';

/** Its vector lacks events received since then. */
export function markDirty(sql: Statements, store: string, shopper: string, since: number): void {
  sql.run('INSERT OR IGNORE INTO profile_dirty (store, shopper, since) VALUES (?, ?, ?)', store, shopper, since);
}

/** A device was seen with a user. */
export function link(
  sql: Statements,
  { store, user, device, received }: Pick<EventRow, 'store' | 'user' | 'device' | 'received'>,
): void {
  sql.run(
    `INSERT INTO event_link (store, user, device, first, last) VALUES (?1, ?2, ?3, ?4, ?4)
     ON CONFLICT DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)`,
    store,
    user,
    device,
    received,
  );
}

export function rememberErased(
  sql: Statements,
  { store, user, at }: { store: string; user: string; at: number },
): void {
  sql.run(
    `INSERT INTO event_erased (store, user, at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)`,
    store,
    user,
    at,
  );
}
