import { defineWriterCommands } from '../../../../storage/sqlite/writer-commands';
import type { Statements } from '../../../../storage/sqlite/sqlite';
import { deviceKey, userKey } from '../../../shoppers/shopper';
import {
  type AppendResult,
  claimsDevice,
  CLICK,
  type ErasedEvents,
  type EraseRequest,
  type ExpireRequest,
  isErasedEvent,
  provenKey,
  type SupersededEvent,
  unprovenKey,
} from '../../event-log';
import type { SnapshotRow } from '../known-snapshots';
import { saveSnapshots } from './embedded-snapshots';
import { expireSnapshots, removeSomeSnapshots } from './snapshot-removal';
import { type EventRow, WRITTEN } from './event-row';
import { restoreLog } from './restore-log';
import { link, markDirty, rememberErased, writeEvent } from './write-event';

function append(sql: Statements, event: EventRow): AppendResult {
  if (isErased(sql, event)) return { outcome: 'erased' };
  if (!(event.keyed ? takeKeys(sql, event) : areFree(sql, event))) return { outcome: 'duplicate' };
  const superseded = event.keyed ? supersede(sql, event) : [];
  const claimed = claimsDevice(event.user, event.device, event.verdict) ? claim(sql, event) : 0;
  const seq = writeEvent(sql, event);
  return { outcome: 'stored', seq, claimed, ...(superseded.length > 0 ? { superseded } : {}) };
}

function isErased(sql: Statements, { store, userHashes, clientTime, at, received }: EventRow): boolean {
  return userHashes.some((hash) => {
    const erasedAt = sql.one('SELECT at FROM event_erased WHERE store = ? AND user = ?', store, hash)?.[0];
    return erasedAt !== undefined && isErasedEvent({ clientTime, at, receivedAt: received }, Number(erasedAt));
  });
}

/** False where one of the keys was there already; then none is taken. */
function takeKeys(sql: Statements, { store, idempotencyKeys }: EventRow): boolean {
  const isTaken = (key: string): boolean =>
    sql.one('SELECT 1 FROM event_key WHERE store = ? AND key = ?', store, key) !== undefined;
  const take = (key: string): number =>
    sql.run('INSERT OR IGNORE INTO event_key (store, key) VALUES (?, ?)', store, key);
  // One key is the rule, and taking it says whether it was there.
  const [only = ''] = idempotencyKeys;
  if (idempotencyKeys.length === 1) return take(only) === 1;
  if (idempotencyKeys.some(isTaken)) return false;
  idempotencyKeys.forEach(take);
  return true;
}

/** Whether what comes without store keys is new, also under the keys of what came with them. Its own are taken when it is written. */
function areFree(sql: Statements, { store, idempotencyKeys }: EventRow): boolean {
  const taken = 'SELECT 1 FROM event_key WHERE store = ? AND key IN (?, ?)';
  return idempotencyKeys.every((key) => sql.one(taken, store, key, provenKey(key)) === undefined);
}

/** Events without store keys that have a key of this one count no longer. */
function supersede(sql: Statements, { store, idempotencyKeys }: EventRow): SupersededEvent[] {
  return idempotencyKeys.flatMap((key): SupersededEvent[] => {
    const found =
      sql.one('SELECT seq FROM event_key WHERE store = ? AND key = ?', store, unprovenKey(key))?.[0] ?? null;
    if (found === null) return [];
    const which = `store = ? AND seq = ? AND verdict = 'counted'`;
    const row = sql.one(`SELECT shopper, received FROM event WHERE ${which}`, store, found);
    if (!row) return [];
    const seq = Number(found);
    const shopper = row[0] as SupersededEvent['shopper'];
    forgetPending(sql, 'event.store = ? AND seq = ?', [store, seq]);
    const set = `verdict = 'superseded', counted = 0, evidence = NULL, waiting = NULL`;
    sql.run(`UPDATE event SET ${set} WHERE seq = ?`, seq);
    changeVector(sql, { store, seq, shopper, received: Number(row[1]) });
    return [{ store, shopper, seq }];
  });
}

/** What the device did since the last claim becomes the user's. The device is left without a vector, for it has no events. */
function claim(sql: Statements, event: EventRow): number {
  const { store, user, device, received } = event;
  link(sql, event);
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

/** Rows of event_pending are found by what events wait for, so they go before those. `which`: a condition of the table `event`. */
function forgetPending(sql: Statements, which: string, values: unknown[]): void {
  const waiting = `SELECT event.store, each.value, seq FROM event, json_each(waiting) AS each WHERE ${which} AND waiting IS NOT NULL`;
  sql.run(`DELETE FROM event_pending WHERE (store, product, seq) IN (${waiting})`, ...values);
}

/** Writes events anew at the end of the log, in their order. */
function moveEvents(sql: Statements, { store, where, value, shopper }: Move): number {
  const end = Number(sql.one('SELECT seq FROM event ORDER BY seq DESC LIMIT 1')?.[0] ?? 0);
  const copied = `SELECT ${WRITTEN.replace('shopper', '?')} FROM event WHERE store = ? AND ${where} ORDER BY seq`;
  const moved = sql.run(`INSERT INTO event (${WRITTEN}) ${copied}`, shopper, store, value);
  forgetPending(sql, `event.store = ? AND ${where} AND seq <= ?`, [store, value, end]);
  sql.run(`DELETE FROM event WHERE store = ? AND ${where} AND seq <= ?`, store, value, end);
  const waiting =
    'SELECT store, each.value, seq FROM event, json_each(waiting) AS each WHERE seq > ? AND waiting IS NOT NULL';
  sql.run(`INSERT OR IGNORE INTO event_pending (store, product, seq) ${waiting}`, end);
  const keys = 'SELECT store, each.value, seq FROM event, json_each(keys) AS each WHERE seq > ? AND keys IS NOT NULL';
  sql.run(`INSERT OR REPLACE INTO event_key (store, key, seq) ${keys}`, end);
  return moved;
}

interface ChangedEvent extends SupersededEvent {
  received: number;
}

/** A vector that holds the event, or part of it, is made anew. */
function changeVector(sql: Statements, { store, seq, shopper, received }: ChangedEvent): void {
  if (shopper === null) return;
  sql.run('DELETE FROM profile WHERE store = ? AND shopper = ? AND watermark >= ?', store, shopper, seq);
  sql.run('DELETE FROM profile_draft WHERE store = ? AND shopper = ?', store, shopper);
  markDirty(sql, store, shopper, received);
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
  snapshots: SnapshotRow[];
}

/** False where the event was claimed, completed or erased in the meantime. */
function complete(sql: Statements, { store, seq, evidence, waiting, snapshots }: Completion): boolean {
  const which = 'store = ? AND seq = ? AND waiting IS NOT NULL';
  const row = sql.one(`SELECT shopper, received FROM event WHERE ${which}`, store, seq);
  if (!row) return false;
  saveSnapshots(sql, snapshots);
  const shopper = row[0] as SupersededEvent['shopper'];
  forgetPending(sql, 'event.store = ? AND seq = ?', [store, seq]);
  const left = waiting.length > 0 ? JSON.stringify(waiting) : null;
  sql.run('UPDATE event SET evidence = ?, waiting = ? WHERE seq = ?', evidence, left, seq);
  moveEvents(sql, { store, where: 'seq = ?', value: seq, shopper });
  changeVector(sql, { store, seq, shopper, received: Number(row[1]) });
  return true;
}

function erase(sql: Statements, { store, userId, devices, erasedUser, at }: EraseRequest): ErasedEvents {
  const shoppers = [userKey(userId), ...devices.map(deviceKey)];
  const which = 'event.store = ? AND shopper IN (SELECT value FROM json_each(?))';
  const values = [store, JSON.stringify(shoppers)];
  forgetPending(sql, which, values);
  // No client chooses the key of a click, which is made of the link and of who followed it: it goes with the click.
  const clicks = `SELECT event.store, each.value FROM event, json_each(keys) AS each WHERE ${which} AND name = ? AND keys IS NOT NULL`;
  sql.run(`DELETE FROM event_key WHERE (store, key) IN (${clicks})`, ...values, CLICK);
  const events = sql.run(`DELETE FROM event WHERE ${which}`, ...values);
  const links = sql.run('DELETE FROM event_link WHERE store = ? AND user = ?', store, userId);
  // Vectors go with the events they were aggregated from; the profile store counts and removes them before.
  for (const shopper of shoppers) forgetProfile(sql, store, shopper);
  rememberErased(sql, { store, user: erasedUser, at });
  return { events, links };
}

/** Rows of one call: a commit must not take long. */
const CHUNK = 2000;

type Expiry = Omit<ExpireRequest, 'lacking'> & { after: number };

export interface ExpiredStretch {
  events: number;
  /** When the first of the events that are left was received, epoch ms; null: none is. */
  oldest: number | null;
  /** Where the following one begins; null at the end. */
  next: number | null;
}

/** One stretch of the log. */
function expire(sql: Statements, { store, before, after }: Expiry): ExpiredStretch {
  const next = 'SELECT seq FROM event WHERE seq > ? ORDER BY seq LIMIT ?';
  const last = sql.one(`SELECT max(seq) FROM (${next})`, after, CHUNK)?.[0];
  if (typeof last !== 'number') return { events: 0, oldest: null, next: null };
  const stretch = `+event.store = ? AND seq > ? AND seq <= ? AND at < ? AND (counted = 0 OR seq <=
    (SELECT watermark FROM profile WHERE profile.store = event.store AND profile.shopper = event.shopper))`;
  const values = [store, after, last, before];
  forgetPending(sql, stretch, values);
  const events = sql.run(`DELETE FROM event WHERE ${stretch}`, ...values);
  const left = 'SELECT min(received) FROM event WHERE +store = ? AND seq > ? AND seq <= ?';
  const oldest = sql.one(left, store, after, last)?.[0];
  return { events, oldest: typeof oldest === 'number' ? oldest : null, next: last };
}

export const commands = defineWriterCommands({
  'events.append': (sql, { events, snapshots }: { events: EventRow[]; snapshots: SnapshotRow[] }): AppendResult[] => {
    saveSnapshots(sql, snapshots);
    return events.map((event) => append(sql, event));
  },
  'events.complete': complete,
  'events.erase': erase,
  'events.expire': expire,
  'events.expireSnapshots': expireSnapshots,
  'events.forgetErasures': (sql, before: number): number => sql.run('DELETE FROM event_erased WHERE at <= ?', before),
  'events.removeSnapshots': removeSomeSnapshots,
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
