import type { Statements } from '../../../../storage/sqlite/sqlite';

/** Rows of one call: a commit must not take long. */
const CHUNK = 2000;

/** One stretch of a store's snapshots, in the order of their names. */
export interface SnapshotExpiry {
  store: string;
  /** Those touched earlier go, epoch ms. */
  before: number;
  /** Where this stretch begins. */
  after: string;
}

/** Removes what no event needs from one stretch; where the following one begins, null at the end. */
export function expireSnapshots(sql: Statements, { store, before, after }: SnapshotExpiry): string | null {
  const stretch = 'SELECT name FROM event_snapshot WHERE store = ? AND name > ? ORDER BY name LIMIT ?';
  const last = sql.one(`SELECT max(name) FROM (${stretch})`, store, after, CHUNK)?.[0];
  if (typeof last !== 'string') return null;
  const old = 'DELETE FROM event_snapshot WHERE store = ? AND name > ? AND name <= ? AND touched < ?';
  sql.run(old, store, after, last, before);
  return last;
}

/** Some of a store's; 0: none is left. */
export function removeSomeSnapshots(sql: Statements, store: string): number {
  const some = 'SELECT name FROM event_snapshot WHERE store = ? LIMIT ?';
  return sql.run(`DELETE FROM event_snapshot WHERE store = ? AND name IN (${some})`, store, store, CHUNK);
}
