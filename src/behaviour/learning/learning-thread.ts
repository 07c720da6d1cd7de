import { parentPort, Worker } from 'node:worker_threads';
import { productStatsKey, shareKey } from '../../ranking/affinity';
import type { ProductFeatures } from '../../ranking/vectors/features';
import { type LearnedModel, StoreLearner } from '../../ranking/learning/learn';
import { memoriesOf, trendValue } from '../../ranking/quality';
import { standBack } from '../../shared/stand-back';
import { compiled } from '../../storage/threads';
import type { LearnedPart, Handover, LearnRequest, LearnSummary } from './model-learner';
import { type LoggedOrder, OrderGuard } from './order-guard';

/** What a store teaches, page by page. */
export interface LearningSource {
  products: AsyncIterable<ProductFeatures[]> | Iterable<ProductFeatures[]>;
  /** Counted transactions, in the order of the log. */
  orders: AsyncIterable<LoggedOrder[]> | Iterable<LoggedOrder[]>;
  /** Whether the store sends orders with keys. */
  proven: boolean;
  /** What the feed says was sold, of the products that say so; whole when all `products` have been read. */
  sold: Map<string, number>;
  close(): Promise<void>;
}

type LearnMessage = { part: LearnedPart } | { done: LearnSummary };

/** Numbers of one part. */
const PART = 2000;

/**
 * Runs a learning thread to its end. `module`: its file in `src`; `setup` is its `workerData`. Rejects where it fails, ends early
 * or is stopped by the signal; then the thread is gone.
 */
export function runLearningThread(module: string, setup: unknown, { take, signal }: Handover): Promise<LearnSummary> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(compiled(module), { workerData: setup });
    const fail = (error: unknown): void => {
      void worker.terminate();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    const stop = (): void => fail(new Error('Learning was stopped'));
    signal.addEventListener('abort', stop, { once: true });
    worker.on('error', fail);
    worker.on('exit', () => {
      signal.removeEventListener('abort', stop);
      reject(new Error('The learning thread ended early'));
    });
    worker.on('message', (message: LearnMessage) => {
      if ('done' in message) resolve(message.done);
      else take(message.part).then(() => worker.postMessage('next'), fail);
    });
    if (signal.aborted) stop();
  });
}

/** In a thread of its own: learns and hands the model over. One part at a time: the next is made when this one has been taken. */
export async function learnInThread({ now, trend }: LearnRequest, source: LearningSource): Promise<void> {
  standBack();
  const learner = new StoreLearner({ now, ...memoriesOf(trend) });
  for await (const products of source.products) learner.addCatalog(products);
  const guard = new OrderGuard(source.proven);
  for await (const orders of source.orders) {
    for (const order of orders) learner.addPurchases(guard.purchasesIn(order));
  }
  await source.close();
  const model = learner.finish();
  const parts = partsOf(learnedOf(model, source.sold, trend));
  const { users, purchases, products } = model;
  const send = (): void => {
    const next = parts.next();
    const message: LearnMessage = next.done ? { done: { users, purchases, products } } : { part: next.value };
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
  // Nobody has bought anything yet: all are as popular as one that comes tomorrow, but for what the feed says.
  const known = model.purchases > 0 ? model.trend : [...model.trend].filter(([product]) => sold.has(product));
  for (const [product, buyers] of known) {
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
