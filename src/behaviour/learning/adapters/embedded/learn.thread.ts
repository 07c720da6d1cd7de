import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { ProductFeatures } from '../../../../catalog/features';
import { loreKey, shareKey } from '../../../../search/ranking/affinity';
import { trendValue } from '../../../../search/ranking/quality';
import { durationMs } from '../../../../search/ranking/template';
import { openDatabase, Statements } from '../../../../storage/sqlite';
import type { EvidenceEvent } from '../../../profiles/evidence';
import { type LearnedModel, type Purchase, StoreLearner } from '../../../profiles/learn';
import type { LearnedPart, LearnRequest, LearnSummary } from '../../model-learner';

export interface LearnSetup {
  path: string;
  request: LearnRequest;
}

export type LearnMessage = { part: LearnedPart } | { done: LearnSummary };

const PAGE = 1000;
const PART = 2000;

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

type Learned = { entry: [key: string, value: unknown] } | { trend: [productId: string, value: number] };

function* learnedOf(model: LearnedModel, sold: Map<string, number>, { trend: rule }: LearnRequest): Generator<Learned> {
  for (const [feature, share] of model.shares) yield { entry: [shareKey(feature), share] };
  for (const [product, lore] of model.lore) yield { entry: [loreKey(product), lore] };
  for (const [product, buyers] of model.trend) {
    yield { trend: [product, trendValue({ ...buyers, sold: sold.get(product) ?? null }, rule)] };
  }
}

function* partsOf(all: Iterable<Learned>): Generator<LearnedPart> {
  let part: LearnedPart = { entries: [], trend: [] };
  for (const one of all) {
    if ('entry' in one) part.entries.push(one.entry);
    else part.trend.push(one.trend);
    if (part.entries.length + part.trend.length === PART) {
      yield part;
      part = { entries: [], trend: [] };
    }
  }
  yield part;
}

function main(): void {
  const { path, request } = workerData as LearnSetup;
  const { store, now, trend } = request;
  const sql = new Statements(openDatabase(path, { readonly: true }));
  const learner = new StoreLearner({ now, short: durationMs(trend.short), long: durationMs(trend.long) });
  for (const products of catalogPages(sql, store)) learner.addCatalog(products);
  for (const purchases of purchasePages(sql, store)) learner.addPurchases(purchases);
  const sold = soldOf(sql, store);
  sql.db.close();
  const model = learner.finish();
  const parts = partsOf(learnedOf(model, sold, request));
  // One part at a time: the next is made when this one has been taken.
  const send = (): void => {
    const next = parts.next();
    if (!next.done) parentPort?.postMessage({ part: next.value } satisfies LearnMessage);
    else {
      parentPort?.postMessage({ done: { users: model.users, purchases: model.purchases } } satisfies LearnMessage);
      parentPort?.close();
    }
  };
  parentPort?.on('message', send);
  send();
}

if (!isMainThread) main();
