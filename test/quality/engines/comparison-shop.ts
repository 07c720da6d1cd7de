import { BenchCatalog } from '../../../bench/data/catalog';
import { Chance } from '../../../bench/data/chance';
import { shoppers as benchShoppers } from '../../../bench/data/shoppers';
import type { EvidenceEvent, EvidenceKind } from '../../../src/ranking/vectors/evidence';
import { aggregateEvents } from '../../../src/ranking/vectors/aggregate';
import { type LearnedModel, StoreLearner } from '../../../src/ranking/learning/learn';
import { emptyVector } from '../../../src/ranking/vectors/vector';
import type { CatalogRecord } from '../../../src/catalog/records/catalog-records';
import { toEngineDocuments, toFeatures } from '../../../src/catalog/indexing/engine-documents';
import type { ProductFeatures } from '../../../src/ranking/vectors/features';
import type { EngineProduct } from '../../../src/engine/search-engine';
import { type Boosts, buildBoosts } from '../../../src/ranking/affinity';
import { memoriesOf, trendValue } from '../../../src/ranking/quality';
import { defaultTemplate } from '../../../src/ranking/template/template';
import { type DataSetName, loadDataSet, type SentProduct } from '../data-set';

/** Something a shopper did with a product. */
interface Step {
  userId: string;
  pid: string;
  kind: EvidenceKind;
  at: number;
}

interface Source {
  name: string;
  language: string;
  sent: readonly SentProduct[];
  steps: readonly Step[];
  now: number;
}

export interface ComparedShopper {
  userId: string;
  boosts: Boosts;
}

/** A shop as both engines are given it: documents, what was learned, and shoppers with tastes. */
export interface ComparisonShop {
  name: string;
  language: string;
  now: number;
  products: EngineProduct[];
  trend: [productId: string, value: number][];
  shoppers: ComparedShopper[];
}

const DAY = 86_400_000;
const HALF_LIVES = { transaction: 180 * DAY, cart: 30 * DAY, view: 14 * DAY };
const SETTINGS = { defaultSalesChannel: 'default', sensitiveCategories: [] };
/** Of all shoppers, evenly from short histories to long ones. */
const SHOPPERS = 50;
const HISTORIES = 400;

/** The catalog of the benchmarks, with its shoppers. */
export function generatedShop(size: number, now: number): ComparisonShop {
  const catalog = new BenchCatalog(size);
  const sent = Array.from({ length: size }, (_, number) => catalog.sent(number) as SentProduct);
  const steps = benchShoppers(catalog, HISTORIES, now).flatMap(({ events }) => events.flatMap(stepsOf));
  return makeShop({ name: `generated, ${size} products`, language: 'pt', sent, steps, now });
}

function stepsOf(event: Record<string, unknown>): Step[] {
  const {
    userId,
    timestamp: at,
    name: kind,
    pid,
    items = [],
  } = event as {
    userId: string;
    timestamp: number;
    name: EvidenceKind;
    pid?: string;
    items?: { pid: string }[];
  };
  const pids = pid === undefined ? items.map((item) => item.pid) : [pid];
  return pids.map((one) => ({ userId, pid: one, kind, at }));
}

/** A data set as of its last search. */
export function dataSetShop(folder: string, name: DataSetName): ComparisonShop {
  const { products, orders, tasks } = loadDataSet(folder, name);
  const now = tasks.at(-1)?.at ?? 0;
  const steps = orders
    .filter(({ at }) => at < now)
    .flatMap(({ userId, at, items }) => items.map(({ pid }): Step => ({ userId, pid, kind: 'transaction', at })));
  return makeShop({ name, language: 'en', sent: products, steps, now });
}

function makeShop({ name, language, sent, steps, now }: Source): ComparisonShop {
  const records = sent.map((product, index) => recordOf(product, index + 1, now));
  const features = new Map(records.map((record) => [record.productId, toFeatures(record, SETTINGS)]));
  const learned = learn(features, steps, now);
  const { trend } = defaultTemplate.signals;
  return {
    name,
    language,
    now,
    products: records.map((record) => ({
      productId: record.productId,
      documents: toEngineDocuments(record, SETTINGS),
    })),
    trend: trend ? [...learned.trend].map(([id, buyers]) => [id, trendValue(buyers, trend)]) : [],
    shoppers: chosen(steps).map(([userId, own]) => ({ userId, boosts: boostsOf(own, { features, learned, now }) })),
  };
}

function recordOf(sent: SentProduct, version: number, now: number): CatalogRecord {
  const receivedAt = now - (version % 1000) * DAY;
  const base = { sent, lastSent: sent, removed: false, version, receivedAt, firstReceivedAt: receivedAt };
  return { productId: sent.id, base, channels: {} };
}

type Features = ReadonlyMap<string, ProductFeatures | null>;

function learn(features: Features, steps: readonly Step[], now: number): LearnedModel {
  const { short = '7d', middle = '30d', long = '365d' } = defaultTemplate.signals.trend ?? {};
  const learner = new StoreLearner({ now, ...memoriesOf({ short, middle, long }) });
  learner.addCatalog([...features.values()].filter((one) => one !== null));
  learner.addPurchases(
    steps.flatMap(({ userId, pid, kind, at }) => {
      const product = features.get(pid);
      return product && kind === 'transaction' ? [{ userId, product, at }] : [];
    }),
  );
  return learner.finish();
}

/** Every so many of those with a history, from the shortest to the longest. */
function chosen(steps: readonly Step[]): [userId: string, steps: Step[]][] {
  const byUser = new Map<string, Step[]>();
  for (const step of steps) {
    const own = byUser.get(step.userId);
    if (own) own.push(step);
    else byUser.set(step.userId, [step]);
  }
  const sorted = [...byUser].sort(([, a], [, b]) => a.length - b.length);
  const every = Math.max(1, sorted.length / SHOPPERS);
  const picked = Array.from({ length: Math.min(SHOPPERS, sorted.length) }, (_, index) =>
    sorted.slice(Math.floor(index * every), Math.floor(index * every) + 1),
  ).flat();
  // So that one query meets short and long ones.
  return picked.map((_, index) => picked[(index * 7) % picked.length]).filter((one) => one !== undefined);
}

function boostsOf(
  steps: readonly Step[],
  { features, learned, now }: { features: Features; learned: LearnedModel; now: number },
): Boosts {
  const events = steps
    .toSorted((a, b) => a.at - b.at)
    .map(({ pid, kind, at }, index): EvidenceEvent => {
      const product = features.get(pid);
      return { seq: index + 1, at, kind, items: product ? [{ product }] : [] };
    });
  const vector = aggregateEvents(emptyVector(HALF_LIVES), events);
  const stats = {
    share: (feature: string) => learned.shares.get(feature),
    product: (productId: string) => learned.productStats.get(productId),
  };
  return buildBoosts({ vectors: [vector], template: defaultTemplate, stats, now });
}

/** What a shopper types, and with which filter. */
export interface ComparedQuery {
  terms: string | null;
  filter: 'none' | 'brand' | 'category' | 'price';
  /** The product it was made of. */
  productId: string;
}

/** Of ten queries seven are words of a product's name, one is misspelt, one browses; a third of them are filtered. */
export function queriesOf({ products }: ComparisonShop, count: number, seed: number): ComparedQuery[] {
  const chance = new Chance(seed);
  return Array.from({ length: count }, (): ComparedQuery => {
    const product = chance.of(products);
    const words = (product.documents[0]?.text.name ?? '').split(/\s+/).filter((word) => word !== '');
    const start = chance.below(Math.max(1, words.length));
    const typed = words.slice(start, start + 1 + chance.below(3)).join(' ');
    const kind = chance.next();
    const filter = chance.next() < 0.67 ? 'none' : chance.of(['brand', 'category', 'price'] as const);
    const terms = kind < 0.1 || typed === '' ? null : kind < 0.25 ? misspelt(typed, chance) : typed;
    return { terms, filter: terms === null && filter === 'none' ? 'category' : filter, productId: product.productId };
  });
}

function misspelt(words: string, chance: Chance): string {
  const at = 1 + chance.below(Math.max(1, words.length - 1));
  return words.slice(0, at) + words.slice(at + 1);
}
