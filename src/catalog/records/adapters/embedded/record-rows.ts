import type { SqlRow, Statements } from '../../../../storage/sqlite/sqlite';
import type { StoredVersion } from '../../record-versions';

/** What was sent, as JSON text. */
export type RecordRow = StoredVersion<string> & { product: string };

export const COLUMNS = 'product, channel, version, received, first_received, removed, body';

export function recordRow(row: SqlRow): RecordRow {
  return {
    product: String(row[0]),
    channel: String(row[1]),
    version: Number(row[2]),
    receivedAt: Number(row[3]),
    firstReceivedAt: Number(row[4]),
    removed: Number(row[5]) === 1,
    sent: String(row[6]),
  };
}

/** Writes versions of products and the sales channels each product names, over what is there. */
export function saveRows(
  sql: Statements,
  store: string,
  { rows, named }: { rows: readonly RecordRow[]; named: readonly [product: string, channel: string][] },
): void {
  for (const row of rows) {
    sql.run(
      `INSERT INTO catalog_record (store, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET version = excluded.version, received = excluded.received,
         first_received = excluded.first_received, removed = excluded.removed, body = excluded.body`,
      store,
      row.product,
      row.channel,
      row.version,
      row.receivedAt,
      row.firstReceivedAt,
      row.removed ? 1 : 0,
      row.sent,
    );
  }
  for (const [product, channel] of named) {
    const columns = '(store, product, channel) VALUES (?, ?, ?)';
    sql.run(`INSERT OR IGNORE INTO catalog_channel ${columns}`, store, product, channel);
  }
  sql.run(
    `INSERT INTO catalog_version (store, version) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET version = max(version, excluded.version)`,
    store,
    rows.reduce((newest, { version }) => Math.max(newest, version), 0),
  );
}
