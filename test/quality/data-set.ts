import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { projectRoot } from '../../src/storage/threads';

export const dataSetNames = ['onlineretail', 'completejourney'] as const;
export type DataSetName = (typeof dataSetNames)[number];

/** A product as it is sent to the service. */
export interface SentProduct {
  id: string;
  [field: string]: unknown;
}

/** A purchase as it is sent to the service: one `transaction` event, at most 50 lines, since no more of a list give evidence. */
export interface Order {
  userId: string;
  /** Epoch milliseconds. */
  at: number;
  id: string;
  items: { pid: string; quantity: number; price: number }[];
}

/** At `at` this user searched `query` and then bought `relevant`. */
export interface Task {
  userId: string;
  at: number;
  query: string;
  relevant: string[];
}

/** What is replayed, in the order of time. */
export interface DataSet {
  name: DataSetName;
  products: SentProduct[];
  orders: Order[];
  tasks: Task[];
  /** Query -> the products that are ranked for it. */
  candidates: Map<string, ReadonlySet<string>>;
}

interface CatalogLine {
  id: string;
  title: string;
  brand?: string;
  categories: string[];
  price: number;
  attributes: Record<string, unknown>;
}

interface EventLine {
  userId: string;
  productId: string;
  ts: string;
  orderId: string;
  quantity: number;
  price: number;
}

interface TaskLine {
  taskId: string;
  userId: string;
  ts: string;
  query: string;
  field: 'title' | 'categories[1]';
  candidates: number;
  relevant: { productId: string }[];
}

/** The folder of the data sets (`DATASETS_DIR`); null where it is absent. */
export function dataSetsFolder(): string | null {
  const folder = resolve(projectRoot, process.env['DATASETS_DIR'] ?? '../shared/datasets');
  return existsSync(folder) ? folder : null;
}

export function loadDataSet(folder: string, name: DataSetName): DataSet {
  const read = <T>(file: string): T[] =>
    gunzipSync(readFileSync(join(folder, name, `${file}.ndjson.gz`)))
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as T);
  const catalog = read<CatalogLine>('catalog');
  const tasks = read<TaskLine>('tasks');
  return {
    name,
    products: catalog.map((line) => sentProduct(line, name)),
    orders: ordersOf(read<EventLine>('events')),
    tasks: tasks.map(taskOf).sort((a, b) => a.at - b.at),
    candidates: candidatesOf(catalog, tasks),
  };
}

function sentProduct({ id, title, brand, categories, price, attributes }: CatalogLine, name: DataSetName): SentProduct {
  // The keyword is the rule that made onlineretail's queries: knowing it would be cheating.
  const details = Object.entries(attributes).filter(
    ([attribute]) => name !== 'onlineretail' || attribute !== 'keyword',
  );
  return {
    id,
    name: title,
    url: `https://shop.example/products/${encodeURIComponent(id)}`,
    images: { default: `https://shop.example/images/${encodeURIComponent(id)}.jpg` },
    price,
    status: 'available',
    categories: categories.length > 0 ? categories : ['all'],
    ...(brand === undefined ? {} : { brand }),
    details: Object.fromEntries(details.map(([attribute, value]) => [attribute, [String(value)]])),
  };
}

const LONGEST_ORDER = 50;

/** Lines of one user, order id and time are one purchase; longer ones are split, each with an id of its own. */
function ordersOf(lines: readonly EventLine[]): Order[] {
  const byKey = new Map<string, EventLine[]>();
  for (const line of lines) {
    const key = JSON.stringify([line.userId, line.orderId, line.ts]);
    const own = byKey.get(key);
    if (own) own.push(line);
    else byKey.set(key, [line]);
  }
  const orders = [...byKey].flatMap(([key, own]) =>
    Array.from({ length: Math.ceil(own.length / LONGEST_ORDER) }, (_, part): Order => {
      const [userId, orderId, ts] = JSON.parse(key) as [string, string, string];
      const taken = own.slice(part * LONGEST_ORDER, (part + 1) * LONGEST_ORDER);
      const items = taken.map(({ productId, quantity, price }) => ({ pid: productId, quantity, price }));
      return { userId, at: Date.parse(ts), id: `${orderId} ${ts} ${part}`, items };
    }),
  );
  return orders.sort((a, b) => a.at - b.at);
}

function taskOf({ userId, ts, query, relevant }: TaskLine): Task {
  return { userId, at: Date.parse(ts), query, relevant: relevant.map(({ productId }) => productId) };
}

/** Of a title the words are its runs of letters: the rule the recorded numbers of candidates come from. */
function candidatesOf(catalog: readonly CatalogLine[], tasks: readonly TaskLine[]): DataSet['candidates'] {
  const words = new Map(catalog.map(({ id, title }) => [id, title.toLowerCase().split(/[^a-z]+/)]));
  const found: DataSet['candidates'] = new Map();
  for (const { query, field, candidates, taskId } of tasks) {
    if (found.has(query)) continue;
    const has = ({ id, categories }: CatalogLine): boolean =>
      field === 'title' ? words.get(id)?.includes(query) === true : categories[1]?.toLowerCase() === query;
    const ids = new Set(catalog.filter(has).map(({ id }) => id));
    if (ids.size !== candidates) throw new Error(`Task ${taskId} has ${candidates} candidates, not ${ids.size}`);
    found.set(query, ids);
  }
  return found;
}

/** A fixed one in `part` of the users, by a hash of their ids. */
export function isSampled(userId: string, part: number): boolean {
  let hash = 0x811c9dc5;
  for (const character of userId) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  // The low bits of FNV-1a say little of a short id.
  hash ^= hash >>> 15;
  return (hash >>> 0) % part === 0;
}

/**
 * A smaller shop to replay in seconds: the history of one in `history` users, the searches of one in `asking` (a multiple
 * of that) for one in `queries` queries, and the products that these users bought or were looking for.
 */
export function smallerShop(data: DataSet, part: { history: number; asking: number; queries: number }): DataSet {
  const asks = ({ userId }: { userId: string }): boolean => isSampled(userId, part.asking);
  const tasks = data.tasks.filter((task) => asks(task) && isSampled(task.query, part.queries));
  const start = tasks[0]?.at ?? 0;
  const kept = new Set(tasks.flatMap(({ query }) => [...(data.candidates.get(query) ?? [])]));
  for (const { items } of data.orders.filter(asks)) for (const { pid } of items) kept.add(pid);
  const orders = data.orders
    .filter((order) => asks(order) || (order.at < start && isSampled(order.userId, part.history)))
    .map((order) => ({ ...order, items: order.items.filter(({ pid }) => kept.has(pid)) }))
    .filter(({ items }) => items.length > 0);
  return { ...data, orders, tasks, products: data.products.filter(({ id }) => kept.has(id)) };
}
