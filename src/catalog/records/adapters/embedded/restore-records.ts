import type { Statements } from '../../../../storage/sqlite/sqlite';
import { keptOf, type RecordEntry } from '../../record-archive';

const WRITE_VERSION = `
  INSERT OR REPLACE INTO catalog_record (store, product, channel, version, received, first_received, removed, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** Writes products as they were elsewhere, over whatever is there of them. */
export function restoreRecords(sql: Statements, entries: readonly RecordEntry[]): null {
  for (const entry of entries) restoreRecord(sql, entry);
  return null;
}

function restoreRecord(sql: Statements, entry: RecordEntry): void {
  const { store, product } = entry;
  const { versions, named } = keptOf(entry);
  for (const { channel, version, receivedAt, firstReceivedAt, removed, sent } of versions) {
    const row = [store, product, channel, version, receivedAt, firstReceivedAt, removed ? 1 : 0, JSON.stringify(sent)];
    sql.run(WRITE_VERSION, ...row);
  }
  for (const channel of named) {
    const columns = '(store, product, channel) VALUES (?, ?, ?)';
    sql.run(`INSERT OR IGNORE INTO catalog_channel ${columns}`, store, product, channel);
  }
  sql.run(
    `INSERT INTO catalog_version (store, version) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET version = max(version, excluded.version)`,
    store,
    Math.max(0, ...versions.map(({ version }) => version)),
  );
}
