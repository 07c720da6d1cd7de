import type { Statements } from '../../../../storage/sqlite/sqlite';
import type { ArchivedEvent, EventEntry } from '../../event-archive';
import { link, rememberErased } from './pending-markers';
import { writeEvent } from './write-event';

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
  const { store, shopper, name, at, receivedAt: received, verdict, userId: user, deviceId: device } = event;
  const evidence = event.evidence === null ? null : JSON.stringify(event.evidence);
  const what = { name, at, received, verdict, evidence, body: JSON.stringify(event.body) };
  writeEvent(sql, { store, shopper, user, device, waiting: event.pendingProducts, ...what }, event.seq);
  if (user !== null && device !== null && verdict !== 'bot') link(sql, { store, user, device, received });
}
