import { isMainThread, workerData } from 'node:worker_threads';
import { numberOf } from '../../../../catalog/product/sent-values';
import type { ProductFeatures } from '../../../../ranking/vectors/features';
import { rowPages } from '../../../../storage/sqlite/row-pages';
import { openDatabase, Statements } from '../../../../storage/sqlite/sqlite';
import { EmbeddedSnapshots } from '../../../events/adapters/embedded/embedded-snapshots';
import { type CatalogPage, learnInThread } from '../../learn-in-thread';
import type { LearnRequest } from '../../model-learner';
import { type LoggedOrder, PROVEN_FOR_MS, SENT_WITHIN_MS } from '../../order-guard';

export interface EmbeddedLearnSetup {
  path: string;
}

const FEATURES =
  'SELECT product, features FROM catalog_features WHERE store = ? AND product > ? ORDER BY product LIMIT ?';
const ORDERS = `SELECT seq, shopper, evidence, received, keyed, address FROM event
  WHERE store = ? AND name = 'transaction' AND counted = 1 AND seq > ? ORDER BY seq LIMIT ?`;
const SOLD = `SELECT product, json_extract(body, '$.sold') FROM catalog_record
  WHERE store = ? AND channel = '' AND product > ? ORDER BY product LIMIT ?`;

// Pages, not one long cursor: a read transaction that stays open keeps the log of the database from being emptied.

function* catalogOf(sql: Statements, store: string): Generator<CatalogPage> {
  for (const rows of rowPages(sql, { sql: FEATURES, values: [store], after: [''] })) {
    yield { features: rows.map(([, features]) => JSON.parse(String(features)) as ProductFeatures), sold: [] };
  }
  for (const rows of rowPages(sql, { sql: SOLD, values: [store], after: [''] })) {
    const counts = rows.map(([product, count]): CatalogPage['sold'][number] => [String(product), numberOf(count) ?? 0]);
    yield { features: [], sold: counts.filter(([, count]) => count > 0) };
  }
}

function* orders(sql: Statements, store: string): Generator<LoggedOrder[]> {
  for (const rows of rowPages(sql, { sql: ORDERS, values: [store], after: [0] })) {
    const stored = rows.map(([, , evidence]) => ({ store, evidence: String(evidence) }));
    const evidence = EmbeddedSnapshots.of(sql).evidence(stored);
    yield rows.map(([, shopper, , received, keyed, address], index) => ({
      shopper: shopper as LoggedOrder['shopper'],
      evidence: evidence[index] ?? null,
      receivedAt: Number(received),
      keyed: keyed === 1,
      addressHash: address === null ? null : String(address),
    }));
  }
}

/** Whether the store sends orders with keys. */
function isProven(sql: Statements, { store, now }: LearnRequest): boolean {
  const sent = `SELECT 1 FROM event WHERE store = ? AND name = 'transaction' AND counted = 1
    AND keyed = 1 AND received > ? AND received <= ? AND received - at <= ? LIMIT 1`;
  return sql.one(sent, store, now - PROVEN_FOR_MS, now, SENT_WITHIN_MS) !== undefined;
}

function main(): void {
  const { path } = workerData as EmbeddedLearnSetup;
  learnInThread(async (request) => {
    const { store } = request;
    const sql = new Statements(openDatabase(path, { readonly: true, readsOnce: true }));
    return {
      catalog: catalogOf(sql, store),
      orders: () => orders(sql, store),
      proven: () => isProven(sql, request),
      close: async () => void sql.db.close(),
    };
  });
}

if (!isMainThread) main();
