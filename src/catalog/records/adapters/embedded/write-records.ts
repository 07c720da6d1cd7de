import type { Statements } from '../../../../storage/sqlite/sqlite';
import { applyWrite, type ProductState, type StoredVersion, type VersionWrite } from '../../record-versions';
import { COLUMNS, recordRow, type RecordRow, saveRows } from './record-rows';

/** One write as it crosses to the writer thread; what was sent is JSON text. */
export interface WriteRow extends VersionWrite<string> {
  product: string;
}

/** What was sent: JSON text as stored, or the index of the write that brought it, so that no text crosses threads twice. */
export type Body = string | number;

/** A product as the file has it, and as the writes so far leave it. */
interface TouchedProduct {
  stored: { channels: string[]; named: string[] };
  state: ProductState<Body>;
}

/** Applies writes in order. Answers each product's versions afterwards, in first-write order, and the version of each write. */
export function writeRecords(
  sql: Statements,
  { store, writes }: { store: string; writes: WriteRow[] },
): { products: StoredVersion<Body>[][]; versions: (number | null)[] } {
  const before = Number(sql.one('SELECT version FROM catalog_version WHERE store = ?', store)?.[0] ?? 0);
  let version = before;
  const rules = { next: () => (version += 1), nothing: '{}' };
  const products = new Map<string, TouchedProduct>();
  const versions = writes.map(({ product, sent, ...write }, index) => {
    const touched = products.get(product) ?? readProduct(sql, store, product);
    products.set(product, touched);
    return applyWrite(touched.state, { ...write, sent: sent === null ? null : index }, rules);
  });
  const rows: RecordRow[] = [];
  const named: [string, string][] = [];
  for (const [product, { stored, state }] of products) {
    removeMissing(sql, 'catalog_record', [store, product], { stored: stored.channels, kept: state.versions });
    removeMissing(sql, 'catalog_channel', [store, product], { stored: stored.named, kept: state.named });
    for (const { sent, ...row } of state.versions.values()) {
      const text = typeof sent === 'number' ? (writes[sent]?.sent ?? '{}') : sent;
      if (row.version > before) rows.push({ product, ...row, sent: text });
    }
    for (const channel of state.named) if (!stored.named.includes(channel)) named.push([product, channel]);
  }
  if (rows.length > 0) saveRows(sql, store, { rows, named });
  return { products: Array.from(products.values(), ({ state }) => [...state.versions.values()]), versions };
}

function readProduct(sql: Statements, store: string, product: string): TouchedProduct {
  const where = 'WHERE store = ? AND product = ?';
  const rows = sql.all(`SELECT ${COLUMNS} FROM catalog_record ${where}`, store, product).map(recordRow);
  const channels = sql.all(`SELECT channel FROM catalog_channel ${where}`, store, product);
  const named = channels.map(([channel]) => String(channel));
  const versions = rows.map(({ product: _product, ...row }): [string, StoredVersion<Body>] => [row.channel, row]);
  return {
    stored: { channels: rows.map(({ channel }) => channel), named },
    state: { versions: new Map(versions), named: new Set(named) },
  };
}

function removeMissing(
  sql: Statements,
  table: 'catalog_record' | 'catalog_channel',
  product: readonly [store: string, product: string],
  { stored, kept }: { stored: readonly string[]; kept: { has(channel: string): boolean } },
): void {
  for (const channel of stored) {
    if (kept.has(channel)) continue;
    sql.run(`DELETE FROM ${table} WHERE store = ? AND product = ? AND channel = ?`, ...product, channel);
  }
}
