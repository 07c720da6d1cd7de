import { setTimeout as sleep } from 'node:timers/promises';
import { BenchCatalog } from '../data/catalog';
import { Chance } from '../data/chance';
import { type FeedFormat, feedFormats, feedOf } from '../data/feeds';
import { FeedStore, type Import } from '../feed-store';
import { type BenchOptions, count, percentiles, row, type Row, type Scenario, SMALL } from '../scenario';
import type { BenchShop } from '../shop';
import { percentile } from '../statistics';

const USUAL_LINES = 100_000;
const QUICK_LINES = 10_000;
const SEARCHES_AT_REST = 300;
/** A storefront that is visited now and then, beside the import. */
const SEARCH_EVERY_MS = 20;
/** Times as fast as the first import, and times as slow as at rest. */
const TARGETS = { same: 5, changed: 4, searches: 1.5 };
/** MiB that an import may take above the service at rest, before it or after it: what was imported stays in the index. */
const MOST_ABOVE_REST = 60;

/** Latencies of single searches until `isDone`. */
async function searchesUntil(shop: BenchShop, isDone: (searches: number) => boolean): Promise<number[]> {
  const chance = new Chance(7);
  const { port, headers } = shop.target;
  const latencies: number[] = [];
  while (!isDone(latencies.length)) {
    const started = performance.now();
    await (await fetch(`http://127.0.0.1:${port}${shop.search(chance).personal}`, { headers })).arrayBuffer();
    latencies.push(performance.now() - started);
    await sleep(SEARCH_EVERY_MS);
  }
  return latencies;
}

const rateOf = (lines: number, { seconds, processor, result }: Import): string =>
  `${count(lines / seconds)} lines/s (${seconds.toFixed(1)} s, ${processor?.toFixed(1) ?? 'unknown'} s of processor time; accepted ${count(Number(result['accepted']))}, unchanged ` +
  `${count(Number(result['unchanged']))})`;

const memoryOf = ({ memory: { first, most, last } }: Import): string =>
  `memory at rest ${count(first)} / most ${count(most)} / after ${count(last)} MiB`;

function memoryRow(imports: ReadonlyMap<string, Import>): Row {
  const above = Array.from(imports, ([name, { memory }]): [string, number] => [
    name,
    memory.most - Math.max(memory.first, memory.last),
  ]);
  const most = Math.max(...above.map(([, value]) => value));
  const shown = `${count(most)} MiB (${above.map(([name, value]) => `${name} ${count(value)}`).join(', ')})`;
  const target = { target: `at most ${MOST_ABOVE_REST} MiB`, met: most <= MOST_ABOVE_REST };
  return row('Memory of an import above the service at rest, before or after it, at the most', shown, target);
}

async function inFormat(store: FeedStore, catalog: BenchCatalog, format: FeedFormat, lines: number): Promise<Import> {
  return store.import(feedOf(catalog, format, { lines }), lines, `&format=${format}`);
}

/** Other imports of the same catalog, and how many times as fast as the first one each is. */
async function again(
  store: FeedStore,
  catalog: BenchCatalog,
  lines: number,
  imports: Map<string, Import>,
): Promise<Row[]> {
  const first = imports.get('ndjson') as Import;
  const faster = (what: string, one: Import, goal: number): Row => {
    const times = first.seconds / one.seconds;
    const target = { target: `at least ${goal} times as fast`, met: times >= goal };
    return row(what, `${times.toFixed(1)} times as fast: ${rateOf(lines, one)}; ${memoryOf(one)}`, target);
  };
  const same = await inFormat(store, catalog, 'ndjson', lines);
  const changed = await store.import(feedOf(catalog, 'ndjson', { lines, changedEvery: 100 }), lines);
  imports.set('the same again', same).set('1% changed', changed);
  return [
    faster('The same feed again', same, TARGETS.same),
    faster('The same feed with 1% changed', changed, TARGETS.changed),
  ];
}

/** Searches of another store, at rest and while a feed is imported. */
async function beside(shop: BenchShop, catalog: BenchCatalog, lines: number): Promise<Row[]> {
  const store = await FeedStore.make(shop, 'feeds-beside');
  const atRest = await searchesUntil(shop, (searches) => searches === SEARCHES_AT_REST);
  let isDone = false;
  const [imported, meanwhile] = await Promise.all([
    inFormat(store, catalog, 'ndjson', lines).finally(() => (isDone = true)),
    searchesUntil(shop, () => isDone),
  ]);
  await store.remove();
  const times = percentile(meanwhile, 0.95) / percentile(atRest, 0.95);
  const target = { target: `p95 at most ${TARGETS.searches} times that at rest`, met: times <= TARGETS.searches };
  const shown = `${percentiles(meanwhile, 0.5, 0.95, 0.99)}, ${times.toFixed(2)} times (${rateOf(lines, imported)})`;
  return [
    row('Search of another store at rest, p50 / p95 / p99', percentiles(atRest, 0.5, 0.95, 0.99)),
    row(`The same while a feed of ${count(lines)} lines is imported`, shown, target),
  ];
}

/** Whole feeds: how fast each format comes in, how much memory that takes, and what searches feel of it. */
export const feeds: Scenario = {
  name: 'feeds',
  sizes: [SMALL],
  async run(shop, { quick, lines = quick ? QUICK_LINES : USUAL_LINES }: BenchOptions) {
    const catalog = new BenchCatalog(lines);
    const rows: Row[] = [];
    const imports = new Map<string, Import>();
    for (const format of feedFormats) {
      const store = await FeedStore.make(shop, `feeds-${format}`);
      const imported = await inFormat(store, catalog, format, lines);
      imports.set(format, imported);
      rows.push(row(`Feed of ${count(lines)} lines, ${format}`, `${rateOf(lines, imported)}; ${memoryOf(imported)}`));
      if (format === 'ndjson') rows.push(...(await again(store, catalog, lines, imports)));
      await store.remove();
    }
    return [...rows, memoryRow(imports), ...(await beside(shop, catalog, lines))];
  },
};
