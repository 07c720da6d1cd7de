import { defineWriterCommands } from '../../../../storage/sqlite/writer-commands';
import type { Statements } from '../../../../storage/sqlite/sqlite';
import { type AppendResult, ERASED_REMEMBERED_MS, type ErasedCounts } from '../../event-log';
import { link, markDirty, rememberErased } from './pending-markers';
import { type EventRow, WRITTEN } from './event-row';
import { restoreLog } from './restore-log';
import { writeEvent } from './write-event';

function append(sql: Statements, event: EventRow): AppendResult {
  if (isErased(sql, event)) return { outcome: 'erased' };
  if (!takeKeys(sql, event)) return { outcome: 'duplicate' };
  const claims = event.user !== null && event.device !== null && event.verdict !== 'bot';
  const claimed = claims ? claim(sql, event) : 0;
  return { outcome: 'stored', seq: writeEvent(sql, event), claimed };
}

function isErased(sql: Statements, event: EventRow): boolean {
  return event.userHashes.some((hash) => {
    const at = sql.one('SELECT at FROM event_erased WHERE store = ? AND user = ?', event.store, hash)?.[0];
    return (
      at !== undefined &&
      (event.clientTime ?? event.at) < Number(at) &&
      Number(at) > event.received - ERASED_REMEMBERED_MS
    );
  });
}

/** False where one of the keys was there already; then none is taken. */
function takeKeys(sql: Statements, { store, idempotencyKeys }: EventRow): boolean {
  const taken = (key: string): boolean =>
    sql.one('SELECT 1 FROM event_key WHERE store = ? AND key = ?', store, key) !== undefined;
  if (idempotencyKeys.length > 1 && idempotencyKeys.some(taken)) return false;
  return idempotencyKeys.every(
    (key) =>
      sql.run('INSERT OR IGNORE INTO event_key (store, key) VALUES (?, ?)', store, key) === 1 ||
      idempotencyKeys.length > 1,
  );
}

/** What the device did since the last claim becomes the user's. The device is left without a vector, for it has no events. */
function claim(sql: Statements, { store, user, device, received }: EventRow): number {
  link(sql, { store, user, device, received });
  const from = `d:${device}`;
  const first = sql.one('SELECT seq FROM event WHERE store = ? AND shopper = ? LIMIT 1', store, from);
  if (!first) return 0;
  const to = `u:${user}`;
  const claimed = moveEvents(sql, { store, where: 'shopper = ?', value: from, shopper: to });
  const since = sql.one('SELECT since FROM profile_dirty WHERE store = ? AND shopper = ?', store, from)?.[0];
  forgetProfile(sql, store, from);
  if (claimed > 0) markDirty(sql, store, to, Number(since ?? received));
  return claimed;
}

interface Move {
  store: string;
  where: 'shopper = ?' | 'seq = ?';
  value: string | number;
  shopper: string | null;
}

/** Writes events anew at the end of the log, in their order. */
function moveEvents(sql: Statements, { store, where, value, shopper }: Move): number {
  const end = Number(sql.one('SELECT seq FROM event ORDER BY seq DESC LIMIT 1')?.[0] ?? 0);
  const moved = sql.run(
    `INSERT INTO event (${WRITTEN}) SELECT ${WRITTEN.replace('shopper', '?')} FROM event WHERE store = ? AND ${where} ORDER BY seq`,
    shopper,
    store,
    value,
  );
  sql.run(
    `DELETE FROM event_pending WHERE (store, product, seq) IN
       (SELECT event.store, each.value, seq FROM event, json_each(waiting) AS each
        WHERE event.store = ? AND ${where} AND seq <= ? AND waiting IS NOT NULL)`,
    store,
    value,
    end,
  );
  sql.run(`DELETE FROM event WHERE store = ? AND ${where} AND seq <= ?`, store, value, end);
  sql.run(
    `INSERT OR IGNORE INTO event_pending (store, product, seq)
       SELECT store, each.value, seq FROM event, json_each(waiting) AS each WHERE seq > ? AND waiting IS NOT NULL`,
    end,
  );
  return moved;
}

function forgetProfile(sql: Statements, store: string, shopper: string): void {
  for (const table of ['profile', 'profile_dirty', 'profile_draft']) {
    sql.run(`DELETE FROM ${table} WHERE store = ? AND shopper = ?`, store, shopper);
  }
}

export interface Completion {
  store: string;
  seq: number;
  /** JSON text. */
  evidence: string;
  waiting: string[];
}

/** False where the event was claimed, completed or erased in the meantime. */
function complete(sql: Statements, { store, seq, evidence, waiting }: Completion): boolean {
  const row = sql.one(
    'SELECT shopper, received FROM event WHERE store = ? AND seq = ? AND waiting IS NOT NULL',
    store,
    seq,
  );
  if (!row) return false;
  const shopper = row[0] === null ? null : String(row[0]);
  // Rows of event_pending are found by what the event waited for, so they go before that changes.
  sql.run(
    `DELETE FROM event_pending WHERE store = ?1 AND seq = ?2 AND product IN
       (SELECT each.value FROM event, json_each(waiting) AS each WHERE event.seq = ?2)`,
    store,
    seq,
  );
  sql.run(
    'UPDATE event SET evidence = ?, waiting = ? WHERE seq = ?',
    evidence,
    waiting.length > 0 ? JSON.stringify(waiting) : null,
    seq,
  );
  moveEvents(sql, { store, where: 'seq = ?', value: seq, shopper });
  if (shopper === null) return true;
  const aggregated = sql.one(
    'SELECT 1 FROM profile WHERE store = ? AND shopper = ? AND watermark >= ?',
    store,
    shopper,
    seq,
  );
  if (aggregated) sql.run('DELETE FROM profile WHERE store = ? AND shopper = ?', store, shopper);
  sql.run('DELETE FROM profile_draft WHERE store = ? AND shopper = ?', store, shopper);
  markDirty(sql, store, shopper, Number(row[1]));
  return true;
}

interface Erasure {
  store: string;
  userId: string;
  erasedUser: string;
  at: number;
}

function erase(sql: Statements, { store, userId, erasedUser, at }: Erasure): ErasedCounts {
  const shopper = `u:${userId}`;
  sql.run(
    `DELETE FROM event_pending WHERE (store, product, seq) IN
       (SELECT event.store, each.value, seq FROM event, json_each(waiting) AS each
        WHERE event.store = ? AND shopper = ? AND waiting IS NOT NULL)`,
    store,
    shopper,
  );
  const events = sql.run('DELETE FROM event WHERE store = ? AND shopper = ?', store, shopper);
  const links = sql.run('DELETE FROM event_link WHERE store = ? AND user = ?', store, userId);
  // Its vector goes with the events it was aggregated from; the profile store counts and removes it before.
  forgetProfile(sql, store, shopper);
  rememberErased(sql, { store, user: erasedUser, at });
  return { events, links };
}

/** Rows of one call: a commit must not take long. */
const CHUNK = 2000;

interface Expiry {
  store: string;
  before: number;
  now: number;
  after: number;
}

/** One stretch of the log; `next`: where the following one begins, null at the end. */
function expire(sql: Statements, { store, before, now, after }: Expiry): { events: number; next: number | null } {
  sql.run('DELETE FROM event_erased WHERE store = ? AND at <= ?', store, now - ERASED_REMEMBERED_MS);
  const last = sql.one(
    'SELECT max(seq) FROM (SELECT seq FROM event WHERE seq > ? ORDER BY seq LIMIT ?)',
    after,
    CHUNK,
  )?.[0];
  if (typeof last !== 'number') return { events: 0, next: null };
  const stretch = `+store = ? AND seq > ? AND seq <= ? AND at < ? AND (counted = 0 OR seq <=
    (SELECT watermark FROM profile WHERE profile.store = event.store AND profile.shopper = event.shopper))`;
  const values = [store, after, last, before];
  sql.run(
    `DELETE FROM event_pending WHERE (store, product, seq) IN
       (SELECT event.store, each.value, seq FROM event, json_each(waiting) AS each WHERE ${stretch} AND waiting IS NOT NULL)`,
    ...values,
  );
  return { events: sql.run(`DELETE FROM event WHERE ${stretch}`, ...values), next: last };
}

export const commands = defineWriterCommands({
  'events.append': (sql, events: EventRow[]): AppendResult[] => events.map((event) => append(sql, event)),
  'events.complete': complete,
  'events.erase': erase,
  'events.expire': expire,
  'events.restore': restoreLog,

  /** A part of it at a time; 0: nothing is left. */
  'events.removeSome': (sql, store: string): number =>
    sql.run('DELETE FROM event WHERE seq IN (SELECT seq FROM event WHERE store = ? LIMIT ?)', store, CHUNK),

  'events.removeRest': (sql, store: string): null => {
    for (const table of ['event_key', 'event_pending', 'event_link', 'event_erased']) {
      sql.run(`DELETE FROM ${table} WHERE store = ?`, store);
    }
    return null;
  },
});
