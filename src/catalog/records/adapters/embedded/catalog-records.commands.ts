import { defineWriterCommands } from '../../../../storage/sqlite/writer-commands';
import type { Statements } from '../../../../storage/sqlite/sqlite';
import { type RecordRow, saveRows } from './record-rows';
import { writeRecords } from './write-records';

/** A product as it was elsewhere, whatever is there of it. */
export interface RestoreRow {
  store: string;
  product: string;
  versions: Omit<RecordRow, 'product'>[];
  named: string[];
}

function restore(sql: Statements, { store, product, versions, named }: RestoreRow): void {
  const rows = versions.map((row) => ({ product, ...row }));
  saveRows(sql, store, { rows, named: named.map((channel) => [product, channel]) });
}

export const commands = defineWriterCommands({
  'catalog.write': writeRecords,

  'catalog.restore': (sql, rows: RestoreRow[]): null => {
    for (const row of rows) restore(sql, row);
    return null;
  },

  'catalog.saveFeatures': (sql, { store, rows }: { store: string; rows: [product: string, json: string][] }): null => {
    for (const [product, json] of rows) {
      sql.run(
        `INSERT INTO catalog_features (store, product, features) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET features = excluded.features`,
        store,
        product,
        json,
      );
    }
    return null;
  },

  /** Removes a part of a store, so that no write waits long. Answers the number of products; 0: nothing is left. */
  'catalog.removeSome': (sql, { store, products }: { store: string; products: number }): number => {
    const ids = sql.all('SELECT DISTINCT product FROM catalog_record WHERE store = ? LIMIT ?', store, products);
    for (const table of ['catalog_record', 'catalog_channel', 'catalog_features']) {
      for (const [id] of ids) sql.run(`DELETE FROM ${table} WHERE store = ? AND product = ?`, store, id);
    }
    if (ids.length === 0) sql.run('DELETE FROM catalog_version WHERE store = ?', store);
    return ids.length;
  },
});
