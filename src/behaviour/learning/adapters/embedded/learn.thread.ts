import { isMainThread, workerData } from 'node:worker_threads';
import type { ProductFeatures } from '../../../../ranking/features';
import { openDatabase, Statements } from '../../../../storage/sqlite/sqlite';
import type { EvidenceEvent } from '../../../../ranking/evidence';
import type { Purchase } from '../../../../ranking/learning/learn';
import { learnInThread } from '../../learn-in-thread';
import type { LearnRequest } from '../../model-learner';

export interface LearnSetup {
  path: string;
  request: LearnRequest;
}

const PAGE = 1000;

/** Pages, not one long cursor: a read transaction that stays open keeps the log of the database from being emptied. */
function* catalogPages(sql: Statements, store: string): Generator<ProductFeatures[]> {
  for (let after = ''; ;) {
    const rows = sql.all(
      'SELECT product, features FROM catalog_features WHERE store = ? AND product > ? ORDER BY product LIMIT ?',
      store,
      after,
      PAGE,
    );
    if (rows.length === 0) return;
    after = String(rows.at(-1)?.[0]);
    yield rows.map((row) => JSON.parse(String(row[1])) as ProductFeatures);
  }
}

function* purchasePages(sql: Statements, store: string): Generator<Purchase[]> {
  for (let after = 0; ;) {
    const rows = sql.all(
      `SELECT seq, shopper, evidence FROM event
       WHERE store = ? AND name = 'transaction' AND counted = 1 AND seq > ? ORDER BY seq LIMIT ?`,
      store,
      after,
      PAGE,
    );
    if (rows.length === 0) return;
    after = Number(rows.at(-1)?.[0]);
    yield rows.flatMap(([, shopper, json]) => {
      const { at, items } = JSON.parse(String(json)) as EvidenceEvent;
      return items.map(({ product }) => ({ userId: String(shopper), product, at }));
    });
  }
}

/** What the feed says was sold, of the products that say so. */
function soldOf(sql: Statements, store: string): Map<string, number> {
  const sold = new Map<string, number>();
  for (let after = ''; ;) {
    const rows = sql.all(
      `SELECT product, json_extract(body, '$.sold') FROM catalog_record
       WHERE store = ? AND product > ? AND channel = '' ORDER BY product LIMIT ?`,
      store,
      after,
      PAGE,
    );
    if (rows.length === 0) return sold;
    after = String(rows.at(-1)?.[0]);
    for (const [product, value] of rows) if (Number(value) > 0) sold.set(String(product), Number(value));
  }
}

function main(): Promise<void> {
  const { path, request } = workerData as LearnSetup;
  const { store } = request;
  const sql = new Statements(openDatabase(path, { readonly: true }));
  return learnInThread(request, {
    products: catalogPages(sql, store),
    purchases: purchasePages(sql, store),
    sold: soldOf(sql, store),
    close: async () => void sql.db.close(),
  });
}

if (!isMainThread) void main();
