import { defineWriterCommands } from '../../../../storage/sqlite/writer-commands';
import type { Statements } from '../../../../storage/sqlite/sqlite';
import { aggregateEvents } from '../../../../ranking/vectors/aggregate';
import { type HalfLives, type BehaviourVector, emptyVector } from '../../../../ranking/vectors/vector';
import { evidenceEvents } from './recent-events';
import { packedVector, vectorText } from './stored-vector';

/** Events aggregated in one call: other writes wait for it. */
const CHUNK = 500;

interface AggregateCall {
  store: string;
  shopper: string;
  /** Epoch ms: events received from then on are left. */
  until: number;
  halfLife: HalfLives;
  now: number;
  /** `go`: onto the serving vector. `begin`, `continue`: onto a new vector that starts empty and is served once it has caught up. */
  mode: 'go' | 'begin' | 'continue';
}

interface Base {
  vector: BehaviourVector;
  watermark: number;
}

const key = 'WHERE store = ? AND shopper = ?';

function stored(sql: Statements, table: 'profile' | 'profile_draft', { store, shopper }: AggregateCall): Base | null {
  const row = sql.one(`SELECT watermark, vector FROM ${table} ${key}`, store, shopper);
  return row ? { watermark: Number(row[0]), vector: JSON.parse(vectorText(row[1])) as BehaviourVector } : null;
}

function baseOf(sql: Statements, call: AggregateCall): Base {
  const empty = { vector: emptyVector(call.halfLife), watermark: 0 };
  if (call.mode === 'begin') return empty;
  return stored(sql, call.mode === 'go' ? 'profile' : 'profile_draft', call) ?? empty;
}

/**
 * Aggregates the next stretch of a shopper's events, in the order of the log and never past one that is too young. So the recent events
 * are whole and in order whenever a job stops.
 */
function aggregate(sql: Statements, call: AggregateCall): { aggregated: number; more: boolean } {
  const base = baseOf(sql, call);
  const after = `SELECT seq, evidence, received FROM event ${key} AND counted = 1 AND seq > ? ORDER BY seq LIMIT ?`;
  const rows = sql.all(after, call.store, call.shopper, base.watermark, CHUNK);
  const served = sql.one(`SELECT watermark FROM profile ${key}`, call.store, call.shopper);
  const serving = call.mode === 'go' ? 0 : Number(served?.[0] ?? 0);
  // What the serving vector holds is aggregated again whatever its age: a rebuild never falls behind it.
  const tooYoung = rows.findIndex((row) => Number(row[2]) >= call.until && Number(row[0]) > serving);
  const events = evidenceEvents(sql, call.store, tooYoung < 0 ? rows : rows.slice(0, tooYoung));
  const vector = aggregateEvents(base.vector, events);
  const watermark = events.at(-1)?.seq ?? base.watermark;
  const more = tooYoung < 0 && rows.length === CHUNK;
  if (call.mode !== 'go' && more) saveUnfinished(sql, call, { vector, watermark });
  else if (call.mode !== 'go' || events.length > 0) save(sql, call, { vector, watermark });
  if (!more) settleDirty(sql, call, watermark);
  return { aggregated: events.length, more };
}

/** A new row each time: its id names this state of the vector. */
function save(sql: Statements, { store, shopper, now }: AggregateCall, { vector, watermark }: Base): void {
  sql.run(`DELETE FROM profile ${key}`, store, shopper);
  sql.run(`DELETE FROM profile_draft ${key}`, store, shopper);
  if (watermark === 0) return;
  const insert = 'INSERT INTO profile (store, shopper, watermark, updated, vector) VALUES (?, ?, ?, ?, ?)';
  sql.run(insert, store, shopper, watermark, now, packedVector(vector));
}

function saveUnfinished(sql: Statements, { store, shopper }: AggregateCall, { vector, watermark }: Base): void {
  const put = `INSERT INTO profile_draft (store, shopper, watermark, vector) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET watermark = excluded.watermark, vector = excluded.vector`;
  sql.run(put, store, shopper, watermark, packedVector(vector));
}

/** Dirty as long as there are events after the watermark, and since the first of them. */
function settleDirty(sql: Statements, { store, shopper }: AggregateCall, watermark: number): void {
  const after = `SELECT received FROM event ${key} AND seq > ? AND counted = 1 ORDER BY seq LIMIT 1`;
  const next = sql.one(after, store, shopper, watermark);
  if (!next) sql.run(`DELETE FROM profile_dirty ${key}`, store, shopper);
  else sql.run(`UPDATE profile_dirty SET since = ? ${key}`, next[0], store, shopper);
}

export const commands = defineWriterCommands({
  'profiles.fold': aggregate,

  /** The number of vectors removed. Its events, if any are left, are all recent events then. */
  'profiles.remove': (sql, { store, shopper }: { store: string; shopper: string }): number => {
    sql.run(`DELETE FROM profile_draft ${key}`, store, shopper);
    const removed = sql.run(`DELETE FROM profile ${key}`, store, shopper);
    const first = sql.one(`SELECT received FROM event ${key} AND counted = 1 ORDER BY seq LIMIT 1`, store, shopper);
    if (first) {
      sql.run('INSERT OR IGNORE INTO profile_dirty (store, shopper, since) VALUES (?, ?, ?)', store, shopper, first[0]);
    }
    return removed;
  },

  /** Some of a store's vectors; 0: none is left. */
  'profiles.removeSome': (sql, { store, limit }: { store: string; limit: number }): number => {
    const some = 'SELECT id FROM profile WHERE store = ? LIMIT ?';
    const removed = sql.run(`DELETE FROM profile WHERE id IN (${some})`, store, limit);
    if (removed === 0) {
      sql.run('DELETE FROM profile_dirty WHERE store = ?', store);
      sql.run('DELETE FROM profile_draft WHERE store = ?', store);
    }
    return removed;
  },
});
