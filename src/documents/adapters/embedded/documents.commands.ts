import { defineWriterCommands } from '../../../storage/sqlite/writer-commands';
import type { Statements } from '../../../storage/sqlite/sqlite';
import { DocumentConflict, type DocumentKey } from '../../documents';

export interface PutRow extends DocumentKey {
  /** The body as JSON text. */
  json: string;
  expectedVersion?: number;
}

function put(sql: Statements, { kind, store, id, json, expectedVersion }: PutRow): number {
  const row = sql.one('SELECT version FROM document WHERE kind = ? AND store = ? AND id = ?', kind, store, id);
  const stored = Number(row?.[0] ?? 0);
  if (expectedVersion !== undefined && expectedVersion !== stored) {
    throw new DocumentConflict(`${kind} ${id} is at version ${stored}, and the write expected ${expectedVersion}`);
  }
  const upsert = `INSERT INTO document (kind, store, id, version, body) VALUES (?, ?, ?, 1, ?)
    ON CONFLICT DO UPDATE SET version = version + 1, body = excluded.body`;
  sql.run(upsert, kind, store, id, json);
  return stored + 1;
}

export const commands = defineWriterCommands({
  'documents.put': (sql, rows: PutRow[]): number[] => rows.map((row) => put(sql, row)),

  'documents.remove': (sql, { kind, store, id }: DocumentKey): boolean =>
    sql.run('DELETE FROM document WHERE kind = ? AND store = ? AND id = ?', kind, store, id) > 0,

  'documents.removeStore': (sql, store: string): number =>
    sql.run('DELETE FROM document WHERE store = ?', store) + sql.run('DELETE FROM counter WHERE store = ?', store),

  'documents.increment': (sql, { kind, store, id, by }: DocumentKey & { by: number }): number => {
    const upsert = `INSERT INTO counter (kind, store, id, value) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET value = value + excluded.value RETURNING value`;
    return Number(sql.one(upsert, kind, store, id, by)?.[0]);
  },
});
