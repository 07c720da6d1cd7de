import { getHeapSpaceStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { productStatsKey, shareKey } from '../../ranking/affinity';
import type { ProductFeatures } from '../../ranking/vectors/features';
import { CatalogLearner, type LearnedModel, StoreLearner } from '../../ranking/learning/learn';
import { memoriesOf, trendValue } from '../../ranking/quality';
import { freeHeap } from '../../shared/free-heap';
import { standBack } from '../../shared/stand-back';
import type { LearnedPart, LearnRequest, LearnSummary } from './model-learner';
import { type LoggedOrder, OrderGuard } from './order-guard';

type Pages<T> = AsyncIterable<T[]> | Iterable<T[]>;

export interface CatalogPage {
  features: ProductFeatures[];
  /** What the feed says was sold, of products that say so: of these or of others. */
  sold: [productId: string, count: number][];
}

/** What a store teaches, page by page. */
export interface LearningSource {
  /** Each product once, and each number that was sold. */
  catalog: AsyncIterable<CatalogPage> | Iterable<CatalogPage>;
  /** Counted transactions, in the order of the log, from the first one. */
  orders(): Pages<LoggedOrder>;
  /** Whether the store sends orders with keys. */
  proven(): Promise<boolean> | boolean;
  /** Absent: nothing is to be closed. */
  close?(): Promise<void>;
}

/**
 * What the thread says: a part, of which it waits to hear that it was taken, or that there are no more, and by how many bytes its heap has
 * grown since it started.
 */
export type LearnMessage = { part: LearnedPart } | { done: LearnSummary; grownBy: number };
type Said = { part: LearnedPart } | { done: LearnSummary };
/** What the thread is told. */
type ThreadMessage = { learn: LearnRequest } | 'next';

/** Numbers of one part. */
const PART = 2000;
/** Bytes by which the heap of a thread that is kept may have grown, without its nursery: 1,000 products take less, 20,000 more. */
export const MOST_GROWN = 8 * 2 ** 20;

/**
 * In a thread of its own: learns one store after the other, and hands each model over. One part at a time: the next is made when this one has been
 * taken. What fails here ends the thread, and whoever started it is told.
 */
export function learnInThread(sourceOf: (request: LearnRequest) => Promise<LearningSource>): void {
  standBack();
  const atFirst = heapSize();
  let messages: AsyncIterator<Said> | null = null;
  const say = async (): Promise<void> => {
    const message = (await messages?.next())?.value as Said;
    if ('part' in message) return parentPort?.postMessage(message satisfies LearnMessage);
    // The model is not held until the next one.
    messages = null;
    const grownBy = heapSize() - atFirst;
    // It will be ended, and V8 would keep its heap for other threads.
    if (grownBy > MOST_GROWN) freeHeap();
    parentPort?.postMessage({ ...message, grownBy } satisfies LearnMessage);
  };
  const begin = async (request: LearnRequest): Promise<void> => {
    messages = learn(request, await sourceOf(request));
    await say();
  };
  parentPort?.on('message', (message: ThreadMessage) => {
    if (message === 'next') void say();
    else void begin(message.learn);
  });
}

/** Without the nursery, which grows by itself. */
const heapSize = (): number =>
  getHeapSpaceStatistics().reduce(
    (sum, { space_name, space_size }) => sum + (space_name === 'new_space' ? 0 : space_size),
    0,
  );

/** What is to be said of it. */
async function* learn(request: LearnRequest, source: LearningSource): AsyncGenerator<Said, void, void> {
  const learning = request.sold ? learnStore(request, source) : learnCatalog(request, source);
  const parts = new Parts();
  for (;;) {
    const learned = await learning.next();
    if (learned.done) {
      await source.close?.();
      yield { part: parts.take() };
      const { users, purchases, products } = learned.value;
      return yield { done: { users, purchases, products } };
    }
    for (const number of learned.value) if (parts.add(number)) yield { part: parts.take() };
  }
}

type Learned = { entry: LearnedPart['entries'][number] } | { trend: LearnedPart['trend'][number] };
/** Runs of what was learned, and the model in the end. */
type Learning = AsyncGenerator<Iterable<Learned>, LearnSummary, void>;

/** Of a store that has sold nothing, however large its catalog: nothing is kept of each product. */
async function* learnCatalog({ forget }: LearnRequest, { catalog }: LearningSource): Learning {
  const learner = new CatalogLearner();
  for await (const { features } of catalog) {
    learner.add(features);
    if (forget) yield features.map(({ id }) => forgotten(id));
  }
  const model = learner.finish();
  yield sharesOf(model);
  return model;
}

async function* learnStore(request: LearnRequest, source: LearningSource): Learning {
  const { now, trend: rule, forget } = request;
  const learner = new StoreLearner({ now, ...memoriesOf(rule) });
  const sold = new Map<string, number>();
  for await (const page of source.catalog) {
    learner.addCatalog(page.features);
    for (const [product, count] of page.sold) sold.set(product, count);
  }
  const guard = new OrderGuard(await source.proven());
  for await (const orders of source.orders()) {
    for (const order of orders) learner.addPurchases(guard.purchasesIn(order));
  }
  const model = learner.finish();
  yield sharesOf(model);
  yield statsOf(model);
  if (model.purchases > 0) yield trendOf(model, sold, rule);
  else if (forget) yield noTrendOf(model);
  return model;
}

function* sharesOf({ shares }: Pick<LearnedModel, 'shares'>): Generator<Learned> {
  for (const [feature, share] of shares) yield { entry: [shareKey(feature), share] };
}

function* statsOf({ productStats }: LearnedModel): Generator<Learned> {
  for (const [product, stats] of productStats) yield { entry: [productStatsKey(product), stats] };
}

function* trendOf({ trend }: LearnedModel, sold: Map<string, number>, rule: LearnRequest['trend']): Generator<Learned> {
  for (const [product, buyers] of trend)
    yield { trend: [product, trendValue({ ...buyers, sold: sold.get(product) ?? null }, rule)] };
}

function* noTrendOf({ trend }: LearnedModel): Generator<Learned> {
  for (const [product] of trend) yield forgotten(product);
}

const forgotten = (product: string): Learned => ({ trend: [product, null] });

/** What is handed over, in parts of bounded size. */
class Parts {
  private part: LearnedPart = { entries: [], trend: [] };

  /** True where the part is full. */
  add(learned: Learned): boolean {
    if ('entry' in learned) this.part.entries.push(learned.entry);
    else this.part.trend.push(learned.trend);
    return this.part.entries.length + this.part.trend.length >= PART;
  }

  /** The last one may be empty. */
  take(): LearnedPart {
    const { part } = this;
    this.part = { entries: [], trend: [] };
    return part;
  }
}
