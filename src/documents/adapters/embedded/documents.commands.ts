import { defineWriterCommands } from '../../../storage/sqlite/writer-commands';
import type { Statements } from '../../../storage/sqlite/sqlite';
import { DocumentConflict, type DocumentKey } from '../../documents';

export interface PutRow extends DocumentKey {
  /** The body as JSON text. */
  json: string;
  expectedVersion?: number;
}

function put(sql: Statements, row: PutRow): number {
  const stored = Number(
    sql.one('SELECT version FROM document WHERE kind = ? AND store = ? AND id = ?', row.kind, row.store, row.id)?.[0] ??
      0,
  );
  if (row.expectedVersion !== undefined && row.expectedVersion !== stored) {
    throw new DocumentConflict(
      `${row.kind} ${row.id} is at version ${stored}, and the write expected ${row.expectedVersion}`,
    );
  }
  sql.run(
    `INSERT INTO document (kind, store, id, version, body) VALUES (?, ?, ?, 1, ?)
     ON CONFLICT DO UPDATE SET version = version + 1, body = excluded.body`,
    row.kind,
    row.store,
    row.id,
    row.json,
  );
  return stored + 1;
}

export const commands = defineWriterCommands({
  'documents.put': (sql, rows: PutRow[]): number[] => rows.map((row) => put(sql, row)),

  'documents.remove': (sql, key: DocumentKey): boolean =>
    sql.run('DELETE FROM document WHERE kind = ? AND store = ? AND id = ?', key.kind, key.store, key.id) > 0,

  'documents.removeStore': (sql, store: string): number =>
    sql.run('DELETE FROM document WHERE store = ?', store) + sql.run('DELETE FROM counter WHERE store = ?', store),

  'documents.increment': (sql, { counter, by }: { counter: DocumentKey; by: number }): number => {
    const row = sql.one(
      `INSERT INTO counter (kind, store, id, value) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET value = value + excluded.value RETURNING value`,
      counter.kind,
      counter.store,
      counter.id,
      by,
    );
    return Number(row?.[0]);
  },
});
