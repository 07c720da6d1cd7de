import { defineWriterCommands } from '../../../../storage/sqlite/writer-commands';
import type { SqlRow, Statements } from '../../../../storage/sqlite/sqlite';
import { restoreRecords } from './restore-records';

/** One write as it crosses to the writer thread. */
export interface WriteRow {
  product: string;
  /** Empty: without a channel. */
  channel: string;
  /** JSON text; null: removed. */
  body: string | null;
  receivedAt: number;
  /** Sales channels its `salesChannels` names. */
  named: string[];
}

/** One version of a product as stored. */
export interface RecordRow {
  product: string;
  channel: string;
  version: number;
  received: number;
  firstReceived: number;
  removed: boolean;
  /** JSON text; null in an answer to a write whose own body this is. */
  body: string | null;
  /** Which write of the call made it what it is; null: none. */
  writtenBy: number | null;
}

export const COLUMNS = 'product, channel, version, received, first_received, removed, body';

export function recordRow(row: SqlRow): RecordRow {
  return {
    product: String(row[0]),
    channel: String(row[1]),
    version: Number(row[2]),
    received: Number(row[3]),
    firstReceived: Number(row[4]),
    removed: Number(row[5]) === 1,
    body: String(row[6]),
    writtenBy: null,
  };
}

/** The versions of the products of one call, by product and channel, changed in memory and in the file alike. */
class Batch {
  private readonly products = new Map<string, Map<string, RecordRow>>();
  private version: number;

  constructor(
    private readonly sql: Statements,
    private readonly store: string,
  ) {
    this.version = Number(sql.one('SELECT version FROM catalog_version WHERE store = ?', store)?.[0] ?? 0);
  }

  apply(write: WriteRow, index: number): number | null {
    const rows = this.rowsOf(write.product);
    if (write.body === null) return this.remove(write, rows);
    this.version += 1;
    if (write.channel === '') this.reviveChannels(write.product, rows);
    const before = rows.get(write.channel);
    this.put(rows, {
      product: write.product,
      channel: write.channel,
      version: this.version,
      received: write.receivedAt,
      firstReceived: before?.firstReceived ?? write.receivedAt,
      removed: false,
      body: write.body,
      writtenBy: index,
    });
    this.nameChannels(write, rows, before !== undefined);
    return this.version;
  }

  /** Ends the batch: the rows of every product touched, without bodies the caller has. */
  finish(): RecordRow[][] {
    this.sql.run(
      `INSERT INTO catalog_version (store, version) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET version = excluded.version`,
      this.store,
      this.version,
    );
    return [...this.products.values()].map((rows) =>
      [...rows.values()].map((row) => (row.writtenBy === null ? row : { ...row, body: null })),
    );
  }

  private rowsOf(product: string): Map<string, RecordRow> {
    let rows = this.products.get(product);
    if (!rows) {
      const stored = this.sql.all(
        `SELECT ${COLUMNS} FROM catalog_record WHERE store = ? AND product = ?`,
        this.store,
        product,
      );
      rows = new Map(stored.map(recordRow).map((row) => [row.channel, row]));
      this.products.set(product, rows);
    }
    return rows;
  }

  private put(rows: Map<string, RecordRow>, row: RecordRow): void {
    this.sql.run(
      `INSERT INTO catalog_record (store, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET version = excluded.version, received = excluded.received, removed = excluded.removed,
         body = excluded.body`,
      this.store,
      row.product,
      row.channel,
      row.version,
      row.received,
      row.firstReceived,
      row.removed ? 1 : 0,
      row.body,
    );
    rows.set(row.channel, row);
  }

  private remove(write: WriteRow, rows: Map<string, RecordRow>): number | null {
    const known = write.channel === '' ? rows.size > 0 : rows.has('') || rows.has(write.channel);
    if (!known) return null;
    this.version += 1;
    const first = Math.min(...[...rows.values()].map(({ firstReceived }) => firstReceived));
    const channels = write.channel === '' ? new Set(['', ...rows.keys()]) : [write.channel];
    for (const channel of channels) {
      const before = rows.get(channel);
      this.put(rows, {
        product: write.product,
        channel,
        version: this.version,
        received: write.receivedAt,
        firstReceived: before?.firstReceived ?? first,
        removed: true,
        body: before?.body ?? '{}',
        writtenBy: before?.writtenBy ?? null,
      });
    }
    if (write.channel !== '') this.nameChannel(write.product, write.channel);
    return this.version;
  }

  /** A product that comes back is in every channel again: what its removal took with it says nothing any more. */
  private reviveChannels(product: string, rows: Map<string, RecordRow>): void {
    const base = rows.get('');
    if (!base?.removed) return;
    for (const { channel, removed, version } of rows.values()) {
      if (channel === '' || !removed || version !== base.version) continue;
      const where = 'WHERE store = ? AND product = ? AND channel = ?';
      this.sql.run(`DELETE FROM catalog_record ${where}`, this.store, product, channel);
      rows.delete(channel);
    }
  }

  private nameChannels(write: WriteRow, rows: Map<string, RecordRow>, replaces: boolean): void {
    if (write.channel !== '') {
      this.nameChannel(write.product, write.channel);
      return;
    }
    if (replaces)
      this.sql.run('DELETE FROM catalog_channel WHERE store = ? AND product = ?', this.store, write.product);
    for (const channel of new Set([...rows.keys(), ...write.named])) {
      if (channel !== '') this.nameChannel(write.product, channel);
    }
  }

  private nameChannel(product: string, channel: string): void {
    const columns = '(store, product, channel) VALUES (?, ?, ?)';
    this.sql.run(`INSERT OR IGNORE INTO catalog_channel ${columns}`, this.store, product, channel);
  }
}

export const commands = defineWriterCommands({
  'catalog.write': (
    sql,
    { store, writes }: { store: string; writes: WriteRow[] },
  ): { products: RecordRow[][]; versions: (number | null)[] } => {
    const batch = new Batch(sql, store);
    const versions = writes.map((write, index) => batch.apply(write, index));
    return { products: batch.finish(), versions };
  },

  'catalog.restore': restoreRecords,

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

  /** A part of a store, so that nobody's write waits long; 0: nothing is left of it. */
  'catalog.removeSome': (sql, { store, products }: { store: string; products: number }): number => {
    const ids = sql.all('SELECT DISTINCT product FROM catalog_record WHERE store = ? LIMIT ?', store, products);
    for (const table of ['catalog_record', 'catalog_channel', 'catalog_features']) {
      for (const [id] of ids) sql.run(`DELETE FROM ${table} WHERE store = ? AND product = ?`, store, id);
    }
    if (ids.length === 0) sql.run('DELETE FROM catalog_version WHERE store = ?', store);
    return ids.length;
  },
});
