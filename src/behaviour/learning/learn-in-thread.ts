import { parentPort } from 'node:worker_threads';
import { productStatsKey, shareKey } from '../../ranking/affinity';
import type { ProductFeatures } from '../../ranking/vectors/features';
import { CatalogLearner, type LearnedModel, StoreLearner } from '../../ranking/learning/learn';
import { memoriesOf, trendValue } from '../../ranking/quality';
import { standBack } from '../../shared/stand-back';
import type { LearnedPart, LearnRequest, LearnSummary } from './model-learner';
import { type LoggedOrder, OrderGuard } from './order-guard';

type Pages<T> = AsyncIterable<T[]> | Iterable<T[]>;

/** What a store teaches, page by page. */
export interface LearningSource {
  products: Pages<ProductFeatures>;
  /** Counted transactions, in the order of the log, from the first one. */
  orders(): Pages<LoggedOrder>;
  /** Whether the store sends orders with keys. */
  proven: boolean;
  /** What the feed says was sold, of the products that say so; whole when all `products` have been read. */
  sold: Map<string, number>;
  /** Absent: nothing is to be closed. */
  close?(): Promise<void>;
}

/** What the thread says: a part, of which it waits to hear that it was taken, or that there are no more. */
export type LearnMessage = { part: LearnedPart } | { done: LearnSummary };
/** What the thread is told. */
type ThreadMessage = { learn: LearnRequest } | 'next';

/** Numbers of one part. */
const PART = 2000;

/**
 * In a thread of its own: learns one store after the other, and hands each model over. One part at a time: the next is made when this one has been
 * taken. What fails here ends the thread, and whoever started it is told.
 */
export function learnInThread(sourceOf: (request: LearnRequest) => Promise<LearningSource>): void {
  standBack();
  let messages: Iterator<LearnMessage> | null = null;
  const say = (): void => {
    const message = messages?.next().value as LearnMessage;
    // The model is not held until the next one.
    if ('done' in message) messages = null;
    parentPort?.postMessage(message);
  };
  const begin = async (request: LearnRequest): Promise<void> => {
    messages = await learn(request, await sourceOf(request));
    say();
  };
  parentPort?.on('message', (message: ThreadMessage) => {
    if (message === 'next') say();
    else void begin(message.learn);
  });
}

/** What is to be said of it. */
async function learn(request: LearnRequest, source: LearningSource): Promise<Iterator<LearnMessage>> {
  const model = (await isEmpty(source.orders())) ? await catalogModel(source) : await storeModel(request, source);
  await source.close?.();
  return messagesOf(model, partsOf(learnedOf(model, source.sold, request.trend)));
}

async function isEmpty(pages: Pages<unknown>): Promise<boolean> {
  for await (const _ of pages) return false;
  return true;
}

/** Of a store that has sold nothing, however large its catalog: nothing is kept of each product. */
async function catalogModel({ products, sold }: LearningSource): Promise<LearnedModel> {
  const learner = new CatalogLearner();
  for await (const page of products) learner.add(page);
  return learner.finish(sold.keys());
}

async function storeModel({ now, trend }: LearnRequest, source: LearningSource): Promise<LearnedModel> {
  const learner = new StoreLearner({ now, ...memoriesOf(trend) });
  for await (const products of source.products) learner.addCatalog(products);
  const guard = new OrderGuard(source.proven);
  for await (const orders of source.orders()) {
    for (const order of orders) learner.addPurchases(guard.purchasesIn(order));
  }
  return learner.finish();
}

function* messagesOf(
  { users, purchases, products }: LearnedModel,
  parts: Iterable<LearnedPart>,
): Generator<LearnMessage> {
  for (const part of parts) yield { part };
  yield { done: { users, purchases, products } };
}

type Learned = { entry: LearnedPart['entries'][number] } | { trend: LearnedPart['trend'][number] };

function* learnedOf(model: LearnedModel, sold: Map<string, number>, rule: LearnRequest['trend']): Generator<Learned> {
  for (const [feature, share] of model.shares) yield { entry: [shareKey(feature), share] };
  for (const [product, productStats] of model.productStats) yield { entry: [productStatsKey(product), productStats] };
  for (const [product, buyers] of model.trend) {
    // Nobody has bought anything yet: all are as popular as one that comes tomorrow, but for what the feed says.
    if (model.purchases === 0 && !sold.has(product)) continue;
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
