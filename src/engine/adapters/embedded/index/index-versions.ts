import type { Statements } from '../../../../storage/sqlite/sqlite';
import { DOCUMENT_SCHEMA } from './packed';

/** What an index of a store is there for. `growing`: it will replace the one that serves; `kept`: it served before; `gone`: its rows are being removed. */
export type IndexRole = 'serving' | 'growing' | 'kept' | 'gone';

/** The index that searches of a store go to; that of a store without any is named like the store. */
export function servingIndex(sql: Statements, store: string): string {
  return indexOf(sql, store, 'serving') ?? store;
}

/** Every index of a store that its writes go to, the one that serves first. */
export function writtenIndices(sql: Statements, store: string): string[] {
  const others = sql.all(`SELECT name FROM engine_index WHERE store = ? AND role IN ('growing', 'kept')`, store);
  return [servingIndex(sql, store), ...others.map(([name]) => String(name))];
}

/** Of all stores, those that nobody needs any more. */
export function goneIndices(sql: Statements): string[] {
  return sql.all(`SELECT name FROM engine_index WHERE role = 'gone'`).map(([name]) => String(name));
}

/** Begins an index beside the one that serves, in place of one that had been begun. */
export function beginIndex(sql: Statements, store: string): string {
  forgetIndex(sql, store, 'growing');
  const epoch = Number(sql.one("SELECT seq FROM sqlite_sequence WHERE name = 'engine_epoch'")?.[0] ?? 0);
  const name = `${store}~${epoch + 1}`;
  put(sql, { name, store, role: 'growing' });
  return name;
}

export function isGrowing(sql: Statements, name: string): boolean {
  return sql.one(`SELECT 1 FROM engine_index WHERE name = ? AND role = 'growing'`, name) !== undefined;
}

/**
 * From now on it serves, and the one before is kept until then, unless an older version of the service wrote it. False where it is no longer the one
 * that is being built.
 */
export function switchIndex(sql: Statements, { store, name, keptUntil }: Switch): boolean {
  if (!isGrowing(sql, name)) return false;
  const old = servingIndex(sql, store);
  const schema = sql.one('SELECT schema FROM engine_store WHERE store = ?', old)?.[0];
  forgetIndex(sql, store, 'kept');
  const isCurrent = schema !== undefined && Number(schema) >= DOCUMENT_SCHEMA;
  put(sql, { name: old, store, role: isCurrent ? 'kept' : 'gone', keptUntil });
  put(sql, { name, store, role: 'serving' });
  return true;
}

/** The index before serves again; false where none is kept. */
export function rollBackIndex(sql: Statements, { store, now }: { store: string; now: number }): boolean {
  const kept = sql.one(
    `SELECT name FROM engine_index WHERE store = ? AND role = 'kept' AND kept_until > ?`,
    store,
    now,
  );
  if (!kept) return false;
  put(sql, { name: servingIndex(sql, store), store, role: 'gone' });
  put(sql, { name: String(kept[0]), store, role: 'serving' });
  return true;
}

/** Those kept long enough are gone from now on. */
export function expireIndices(sql: Statements, now: number): void {
  sql.run(`UPDATE engine_index SET role = 'gone' WHERE role = 'kept' AND kept_until <= ?`, now);
}

/** What was being built by a process that ended. */
export function forgetUnfinished(sql: Statements): void {
  sql.run(`UPDATE engine_index SET role = 'gone' WHERE role = 'growing'`);
}

export function abandonIndex(sql: Statements, name: string): void {
  sql.run(`UPDATE engine_index SET role = 'gone' WHERE name = ? AND role = 'growing'`, name);
}

/** Every index of a store that is removed. */
export function forgetStore(sql: Statements, store: string): void {
  put(sql, { name: servingIndex(sql, store), store, role: 'gone' });
  sql.run(`UPDATE engine_index SET role = 'gone' WHERE store = ?`, store);
}

interface Switch {
  store: string;
  name: string;
  /** Epoch ms. */
  keptUntil: number;
}

interface IndexRow {
  name: string;
  store: string;
  role: IndexRole;
  keptUntil?: number;
}

function put(sql: Statements, { name, store, role, keptUntil }: IndexRow): void {
  const columns = 'REPLACE INTO engine_index (name, store, role, kept_until) VALUES (?, ?, ?, ?)';
  sql.run(columns, name, store, role, keptUntil ?? null);
}

function indexOf(sql: Statements, store: string, role: IndexRole): string | null {
  const row = sql.one('SELECT name FROM engine_index WHERE store = ? AND role = ?', store, role);
  return row ? String(row[0]) : null;
}

function forgetIndex(sql: Statements, store: string, role: IndexRole): void {
  sql.run(`UPDATE engine_index SET role = 'gone', kept_until = NULL WHERE store = ? AND role = ?`, store, role);
}
