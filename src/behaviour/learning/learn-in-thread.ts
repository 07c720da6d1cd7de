import { parentPort } from 'node:worker_threads';
import { productStatsKey, shareKey } from '../../ranking/affinity';
import type { ProductFeatures } from '../../ranking/features';
import { type LearnedModel, type Purchase, StoreLearner } from '../../ranking/learning/learn';
import { trendValue } from '../../ranking/quality';
import { durationMs } from '../../ranking/duration';
import type { LearnedPart, LearnRequest, LearnSummary } from './model-learner';

/** What a store teaches, page by page. */
export interface LearningSource {
  products: AsyncIterable<ProductFeatures[]> | Iterable<ProductFeatures[]>;
  purchases: AsyncIterable<Purchase[]> | Iterable<Purchase[]>;
  /** What the feed says was sold, of the products that say so; whole when all `products` have been read. */
  sold: Map<string, number>;
  close(): Promise<void>;
}

export type LearnMessage = { part: LearnedPart } | { done: LearnSummary };

/** Numbers of one part. */
const PART = 2000;

/** In a thread of its own: learns and hands the model over. One part at a time: the next is made when this one has been taken. */
export async function learnInThread({ now, trend }: LearnRequest, source: LearningSource): Promise<void> {
  const learner = new StoreLearner({ now, short: durationMs(trend.short), long: durationMs(trend.long) });
  for await (const products of source.products) learner.addCatalog(products);
  for await (const purchases of source.purchases) learner.addPurchases(purchases);
  await source.close();
  const model = learner.finish();
  const parts = partsOf(learnedOf(model, source.sold, trend));
  const { users, purchases } = model;
  const send = (): void => {
    const next = parts.next();
    const message: LearnMessage = next.done ? { done: { users, purchases } } : { part: next.value };
    parentPort?.postMessage(message);
    if (next.done) parentPort?.close();
  };
  parentPort?.on('message', send);
  send();
}

type Learned = { entry: LearnedPart['entries'][number] } | { trend: LearnedPart['trend'][number] };

function* learnedOf(model: LearnedModel, sold: Map<string, number>, rule: LearnRequest['trend']): Generator<Learned> {
  for (const [feature, share] of model.shares) yield { entry: [shareKey(feature), share] };
  for (const [product, productStats] of model.productStats) yield { entry: [productStatsKey(product), productStats] };
  for (const [product, buyers] of model.trend) {
    yield { trend: [product, trendValue({ ...buyers, sold: sold.get(product) ?? null }, rule)] };
  }
}

/** Of bounded size; the last one may be empty. */
function* partsOf(learned: Iterable<Learned>): Generator<LearnedPart, void, void> {
  let part: LearnedPart = { entries: [], trend: [] };
  for (const number of learned) {
    if ('entry' in number) part.entries.push(number.entry);
    else part.trend.push(number.trend);
    if (part.entries.length + part.trend.length < PART) continue;
    yield part;
    part = { entries: [], trend: [] };
  }
  yield part;
}
