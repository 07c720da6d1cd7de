import { defineWriterCommands } from '../../../../storage/sqlite/writer-commands';
import type { Statements } from '../../../../storage/sqlite/sqlite';
import { type RecordEntry, stateOfEntry } from '../../record-archive';
import { saveRows } from './record-rows';
import { writeRecords } from './write-records';

/** A product as it was elsewhere, over whatever is there of it. */
function restore(sql: Statements, entry: RecordEntry): void {
  const { store, product } = entry;
  const { versions, named } = stateOfEntry(entry);
  const rows = Array.from(versions.values(), (version) => ({
    ...version,
    product,
    sent: JSON.stringify(version.sent),
  }));
  saveRows(sql, store, { rows, named: Array.from(named, (channel) => [product, channel]) });
}

export const commands = defineWriterCommands({
  'catalog.write': writeRecords,

  'catalog.restore': (sql, entries: readonly RecordEntry[]): null => {
    for (const entry of entries) restore(sql, entry);
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
