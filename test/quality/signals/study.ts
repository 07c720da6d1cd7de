import { scoresOf } from '../../../src/ranking/tuning/rescored-search';
import { defaultTemplate } from '../../../src/ranking/template/template';
import { type DataSet, type DataSetName, isSampled, loadDataSet, type SentProduct } from '../data-set';
import { type Figure, figure } from '../ndcg';
import { views } from '../replay';
import { collectFinds, type TaskFind } from '../tuning/collect-finds';
import { candidateSignals, drawnMargin, type SignalMoment } from './candidate-signals';
import { PastOrders } from './past-orders';

export interface StudyOptions {
  folder: string;
  sets: readonly DataSetName[];
  /** One in so many users. */
  sample: number;
  learnEvery: number;
  progress: (text: string) => void;
}

/** Tried on the earlier tasks; the one that gains most is looked at on the later ones. */
const WEIGHTS = [-0.1, 0.02, 0.05, 0.1, 0.2, 0.4];
const TRAINING_SHARE = 0.6;
/** A signal is worth having where it gains so much in one view of a set, and loses nowhere more than chance. */
const WORTH = 0.004;
const TOP = 10;
const MOST_IN_CART = 10;
/** Of the margin: what a merchant may weigh. */
const MARGIN_WEIGHT = 0.2;

/** nDCG@10 of one task with each weight of each signal, less that without. */
interface Row {
  set: DataSetName;
  view: string;
  userId: string;
  isTest: boolean;
  gains: Map<string, number[]>;
  /** Mean margin of the first ten without and with it, and what that costs. */
  margin: { before: number; after: number; gain: number };
}

/** What a signal that the ranking does not have would gain, before anybody builds it. Known is only what was before each task. */
export async function studySignals(options: StudyOptions): Promise<string> {
  const rows: Row[] = [];
  for (const name of options.sets) rows.push(...(await rowsOf(name, options)));
  return written(rows, options.sets);
}

async function rowsOf(name: DataSetName, { folder, sample, learnEvery, progress }: StudyOptions): Promise<Row[]> {
  const data = loadDataSet(folder, name);
  const tasks = data.tasks.filter(({ userId }) => isSampled(userId, sample));
  const finds = await collectFinds({ ...data, tasks }, { learnEvery, progress });
  const split = finds[Math.floor(TRAINING_SHARE * finds.length)]?.at ?? 0;
  const past = new PastOrders(data);
  const { prices, means } = pricesOf(data.products);
  const carts = cartsOf(data);
  return finds.map((find): Row => {
    past.goTo(find.at);
    const { query = '' } = find.found.context;
    const cart = carts(find.shopper, find.at, query);
    const moment = { found: find.found, query, at: find.at, userId: find.shopper, cart, past, prices, means };
    return { set: name, view: find.view, userId: find.shopper, isTest: find.at >= split, ...judged(find, moment) };
  });
}

function judged(find: TaskFind, moment: SignalMoment): Pick<Row, 'gains' | 'margin'> {
  const scores = scoresOf(find.found, defaultTemplate);
  const order = (values: readonly number[], weight: number): number[] => ordered(find, scores, { values, weight });
  const none = find.found.products.map(() => 0);
  const plain = order(none, 0);
  const before = ndcgOf(find, plain);
  const gains = new Map<string, number[]>();
  for (const [name, valuesOf] of Object.entries(candidateSignals)) {
    const values = valuesOf(moment);
    gains.set(
      name,
      WEIGHTS.map((weight) => ndcgOf(find, order(values, weight)) - before),
    );
  }
  const margins = find.found.products.map(({ id }) => drawnMargin(id));
  const weighed = order(margins, MARGIN_WEIGHT);
  const mean = (list: readonly number[]): number =>
    list.slice(0, TOP).reduce((sum, index) => sum + margins[index]!, 0) / Math.max(1, Math.min(TOP, list.length));
  return { gains, margin: { before: mean(plain), after: mean(weighed), gain: ndcgOf(find, weighed) - before } };
}

function ordered(
  { found: { products } }: TaskFind,
  scores: Float64Array,
  { values, weight }: { values: readonly number[]; weight: number },
): number[] {
  const weighed = scores.map((score, index) => score * Math.max(0.01, 1 + weight * values[index]!));
  return products
    .map((_product, index) => index)
    .sort(
      (a, b) =>
        products[b]!.tier - products[a]!.tier ||
        weighed[b]! - weighed[a]! ||
        (products[a]!.id < products[b]!.id ? -1 : 1),
    );
}

function ndcgOf({ gains, ideal }: TaskFind, order: readonly number[]): number {
  const found = order.slice(0, TOP).reduce((sum, index, place) => sum + (gains[index] ?? 0) / Math.log2(place + 2), 0);
  return ideal > 0 ? found / ideal : 0;
}

function pricesOf(products: readonly SentProduct[]): Pick<SignalMoment, 'prices' | 'means'> {
  const prices = new Map<string, { ln: number; category: string }>();
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { id, price, categories } of products) {
    if (typeof price !== 'number' || price <= 0) continue;
    const category = Array.isArray(categories) ? categories.join('/') : '';
    const ln = Math.log(price);
    prices.set(id, { ln, category });
    const known = sums.get(category) ?? { sum: 0, count: 0 };
    sums.set(category, { sum: known.sum + ln, count: known.count + 1 });
  }
  return { prices, means: new Map(Array.from(sums, ([category, { sum, count }]) => [category, sum / count])) };
}

/** What else was bought at the time of a search, but for what the search is about: as if it had been put into the cart before. */
function cartsOf(data: DataSet): (userId: string, at: number, query: string) => string[] {
  const bought = new Map<string, string[]>();
  for (const { userId, at, items } of data.orders) {
    const key = `${userId} ${at}`;
    bought.set(key, [...(bought.get(key) ?? []), ...items.map(({ pid }) => pid)]);
  }
  return (userId, at, query) => {
    const candidates = data.candidates.get(query) ?? new Set<string>();
    const all = bought.get(`${userId} ${at}`) ?? [];
    return [...new Set(all.filter((pid) => !candidates.has(pid)))].slice(0, MOST_IN_CART);
  };
}

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`;
const cell = ({ mean, low, high }: Figure): string => `${signed(mean)} [${signed(low)}, ${signed(high)}]`;

function written(rows: readonly Row[], sets: readonly DataSetName[]): string {
  const columns = sets.flatMap((set) =>
    views.map((view) => ({ title: `${set}, ${view}`, of: rows.filter((row) => row.set === set && row.view === view) })),
  );
  const gainOf = (of: readonly Row[], pick: (row: Row) => number): Figure =>
    figure(of.filter(({ isTest }) => isTest).map((row) => ({ userId: row.userId, value: pick(row) })));
  const line = (title: string, cells: readonly string[]): string => `| ${[title, ...cells].join(' | ')} |`;
  const lines = Object.keys(candidateSignals).map((name) => {
    const trained = WEIGHTS.map((_weight, at) =>
      columns.reduce((sum, { of }) => sum + meanGain(of, (row) => row.gains.get(name)![at]!), 0),
    );
    const best = trained.indexOf(Math.max(...trained));
    const figures = columns.map(({ of }) => gainOf(of, (row) => row.gains.get(name)![best]!));
    const pays = figures.some(({ mean }) => mean >= WORTH) && figures.every(({ high }) => high >= 0);
    return line(`${name} (${WEIGHTS[best]})`, [...figures.map(cell), pays ? 'pays' : 'does not pay']);
  });
  const margins = columns.map(({ of }) => {
    const mean = (pick: (row: Row) => number): string => gainOf(of, pick).mean.toFixed(3);
    return `${mean(({ margin }) => margin.before)} → ${mean(({ margin }) => margin.after)}, ${cell(gainOf(of, ({ margin }) => margin.gain))}`;
  });
  return [
    '## Gain in nDCG@10 of the later tasks, 95% intervals by user; the weight is the best of the earlier tasks',
    '',
    line('signal (weight)', [
      ...columns.map(({ title, of }) => `${title} (${of.filter(({ isTest }) => isTest).length})`),
      '',
    ]),
    line(
      '---',
      [...columns, ''].map(() => '---'),
    ),
    ...lines,
    line(`margins drawn by chance (${MARGIN_WEIGHT}): mean of the first ten, cost`, [...margins, '']),
    '',
  ].join('\n');
}

function meanGain(of: readonly Row[], pick: (row: Row) => number): number {
  const trained = of.filter(({ isTest }) => !isTest);
  return trained.reduce((sum, row) => sum + pick(row), 0) / Math.max(1, trained.length);
}
