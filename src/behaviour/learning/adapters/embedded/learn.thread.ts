import { isMainThread, workerData } from 'node:worker_threads';
import type { ProductFeatures } from '../../../../ranking/features';
import { rowPages } from '../../../../storage/sqlite/row-pages';
import { openDatabase, Statements } from '../../../../storage/sqlite/sqlite';
import type { Purchase } from '../../../../ranking/learning/learn';
import { EmbeddedSnapshots } from '../../../events/adapters/embedded/embedded-snapshots';
import { learnInThread } from '../../learning-thread';
import type { LearnRequest } from '../../model-learner';

export interface EmbeddedLearnSetup {
  path: string;
  request: LearnRequest;
}

const FEATURES =
  'SELECT product, features FROM catalog_features WHERE store = ? AND product > ? ORDER BY product LIMIT ?';
const PURCHASES = `SELECT seq, shopper, evidence FROM event
  WHERE store = ? AND name = 'transaction' AND counted = 1 AND seq > ? ORDER BY seq LIMIT ?`;
const SOLD = `SELECT product, json_extract(body, '$.sold') FROM catalog_record
  WHERE store = ? AND channel = '' AND product > ? ORDER BY product LIMIT ?`;

// Pages, not one long cursor: a read transaction that stays open keeps the log of the database from being emptied.

function* products(sql: Statements, store: string): Generator<ProductFeatures[]> {
  for (const rows of rowPages(sql, { sql: FEATURES, values: [store], after: [''] })) {
    yield rows.map(([, features]) => JSON.parse(String(features)) as ProductFeatures);
  }
}

function* purchases(sql: Statements, store: string): Generator<Purchase[]> {
  for (const rows of rowPages(sql, { sql: PURCHASES, values: [store], after: [0] })) {
    const stored = rows.map(([, , evidence]) => ({ store, evidence: String(evidence) }));
    const evidence = EmbeddedSnapshots.of(sql).evidence(stored);
    yield rows.flatMap(([, shopper], index) => {
      const { at = 0, items = [] } = evidence[index] ?? {};
      return items.map(({ product }) => ({ userId: String(shopper), product, at }));
    });
  }
}

function soldOf(sql: Statements, store: string): Map<string, number> {
  const sold = new Map<string, number>();
  for (const rows of rowPages(sql, { sql: SOLD, values: [store], after: [''] })) {
    for (const [product, value] of rows) if (Number(value) > 0) sold.set(String(product), Number(value));
  }
  return sold;
}

function main(): Promise<void> {
  const { path, request } = workerData as EmbeddedLearnSetup;
  const { store } = request;
  const sql = new Statements(openDatabase(path, { readonly: true }));
  return learnInThread(request, {
    products: products(sql, store),
    purchases: purchases(sql, store),
    sold: soldOf(sql, store),
    close: async () => void sql.db.close(),
  });
}

if (!isMainThread) void main();
