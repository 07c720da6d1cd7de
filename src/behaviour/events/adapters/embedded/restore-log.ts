import type { Statements } from '../../../../storage/sqlite/sqlite';
import type { ArchivedEvent, EventEntry } from '../../event-archive';
import { claimsDevice } from '../../event-log';
import { recordOf } from '../event-record';
import { snapshotsOf } from '../known-snapshots';
import { saveSnapshots } from './embedded-snapshots';
import { link, rememberErased, writeEvent } from './write-event';

/** Writes a part of a log as it was elsewhere. */
export function restoreLog(sql: Statements, entries: readonly EventEntry[]): null {
  for (const entry of entries) {
    if (entry.type === 'event') restoreEvent(sql, entry);
    else if (entry.type === 'erased') rememberErased(sql, entry);
    else sql.run('INSERT OR IGNORE INTO event_key (store, key) VALUES (?, ?)', entry.store, entry.key);
  }
  return null;
}

/** With what follows from it: its device is known with its user, too. */
function restoreEvent(sql: Statements, event: ArchivedEvent): void {
  saveSnapshots(sql, snapshotsOf([event]));
  const record = recordOf(event);
  writeEvent(sql, { ...record, idempotencyKeys: event.keys ?? [] }, event.seq);
  if (claimsDevice(record.user, record.device, record.verdict)) link(sql, record);
}
