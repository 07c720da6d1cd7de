import { mergePatch } from '../../../../ranking/template/merge-patch';
import type { SqlRow, Statements } from '../../../../storage/sqlite/sqlite';
import {
  applyWrite,
  emptyState,
  type ProductState,
  type StoredVersion,
  type VersionWrite,
  type WriteRules,
} from '../../record-versions';
import { COLUMNS, recordRow, type RecordRow, saveRows } from './record-rows';

/** One write as it crosses to the writer thread; what was sent is JSON text. */
type WriteRow = VersionWrite<string> & { product: string };

/** What was sent: JSON text as stored, or the index of the write that brought it, so that no text crosses threads twice. */
export type Body = string | number;

/** A product as the file has it, and as the writes so far leave it. */
interface TouchedProduct {
  stored: { channels: string[]; named: string[] };
  state: ProductState<Body>;
}

const OF_CHANNEL = 'WHERE store = ? AND product = ? AND channel = ?';

/** Applies writes in order. Answers each product's versions afterwards, in first-write order, and the version of each write. */
export function writeRecords(
  sql: Statements,
  { store, writes }: { store: string; writes: WriteRow[] },
): { products: StoredVersion<Body>[][]; versions: (number | null)[] } {
  const before = Number(sql.one('SELECT version FROM catalog_version WHERE store = ?', store)?.[0] ?? 0);
  let version = before;
  const textOf = (body: Body): string => (typeof body === 'number' ? (writes[body]?.sent ?? '{}') : body);
  const merge = (body: Body, patch: Body): string =>
    JSON.stringify(mergePatch(JSON.parse(textOf(body)), JSON.parse(textOf(patch))));
  const rules: WriteRules<Body> = { next: () => (version += 1), nothing: '{}', merge };
  const products = readProducts(sql, store, new Set(writes.map(({ product }) => product)));
  const versions = writes.map(({ product, sent, ...write }, index) => {
    const state = products.get(product)?.state ?? emptyState<Body>();
    return applyWrite(state, { ...write, sent: sent === null ? null : index }, rules);
  });
  const rows: RecordRow[] = [];
  const named: [string, string][] = [];
  for (const [product, { stored, state }] of products) {
    for (const channel of stored.channels) {
      if (!state.versions.has(channel)) sql.run(`DELETE FROM catalog_record ${OF_CHANNEL}`, store, product, channel);
    }
    for (const channel of stored.named) {
      if (!state.named.has(channel)) sql.run(`DELETE FROM catalog_channel ${OF_CHANNEL}`, store, product, channel);
    }
    for (const { sent, ...row } of state.versions.values()) {
      if (row.version > before) rows.push({ product, ...row, sent: textOf(sent) });
    }
    for (const channel of state.named) if (!stored.named.includes(channel)) named.push([product, channel]);
  }
  if (rows.length > 0) saveRows(sql, store, { rows, named });
  return { products: Array.from(products.values(), ({ state }) => [...state.versions.values()]), versions };
}

/** One statement for many products takes less than half the time of one for each; a list of one costs more than its product. */
function readProducts(sql: Statements, store: string, ids: ReadonlySet<string>): Map<string, TouchedProduct> {
  const products = new Map<string, TouchedProduct>();
  for (const id of ids) products.set(id, { stored: { channels: [], named: [] }, state: emptyState() });
  const [first = ''] = ids;
  const asked = ids.size > 1 ? JSON.stringify([...ids]) : first;
  const read = (columns: string, table: string): SqlRow[] =>
    ids.size > 1
      ? sql.all(
          `SELECT ${columns} FROM json_each(?) AS asked CROSS JOIN ${table} ON product = value AND store = ?`,
          asked,
          store,
        )
      : sql.all(`SELECT ${columns} FROM ${table} WHERE product = ? AND store = ?`, asked, store);
  for (const { product, ...row } of read(COLUMNS, 'catalog_record').map(recordRow)) {
    products.get(product)?.stored.channels.push(row.channel);
    products.get(product)?.state.versions.set(row.channel, row);
  }
  for (const [product, channel] of read('product, channel', 'catalog_channel')) {
    products.get(String(product))?.stored.named.push(String(channel));
    products.get(String(product))?.state.named.add(String(channel));
  }
  return products;
}
