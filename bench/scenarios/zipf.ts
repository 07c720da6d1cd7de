import { Chance, Zipf } from '../data/chance';
import { searchQuery } from '../data/queries';
import { generateLoad } from '../load/generate-load';
import type { Question } from '../load/tasks';
import { recordSearches, type RecordedSearch } from '../record-searches';
import { cores, count, LARGE, percentiles, row, type Row, type Scenario, SMALL } from '../scenario';
import type { BenchShop } from '../shop';
import { percentile, percentileRatio } from '../statistics';

/** Different queries that shoppers ask, the most popular 1/r as often as the one at rank r. */
const QUERIES = 5000;
const MOST_RATIO = { embedded: 1.05, elasticsearch: 1.15 };
const MOST_TIMES_BY_HAND = 1;
const MOST_TIMES_NEW = 1.4;
const SLOWEST_P50_MS = 2.5;
const LEAST_A_SECOND = 500;
const CONNECTIONS = 16;

interface Search {
  neutral: string;
  personal: string;
}

/** Searches as shoppers with histories make them. `query`: of the parameters. */
function searchOf(shop: BenchShop, query: string, chance: Chance): Search {
  const path = `/searchapi/v3/queries?${query}&userId=${chance.of(shop.shoppers).userId}`;
  return { neutral: `${path}&personalize=false`, personal: path };
}

/** So many queries, no two of them the same and none of `others`. */
function newQueries(shop: BenchShop, chance: Chance, size: number, others: ReadonlySet<string> = new Set()): string[] {
  const found = new Set<string>();
  for (let tries = 0; found.size < size && tries < 100 * size; tries++) {
    const query = searchQuery(shop.catalog.product(chance.below(shop.size)), chance);
    if (!others.has(query)) found.add(query);
  }
  return [...found];
}

const asking = (shop: BenchShop, path: string): Question => {
  const { port, headers } = shop.target;
  return { port, requests: [{ method: 'GET', path, headers }] };
};

const shown = ({ value, low, high }: { value: number; low: number; high: number }): string =>
  `${value.toFixed(3)} (95% interval ${low.toFixed(3)} to ${high.toFixed(3)})`;

/** The service beside what it would ask of Elasticsearch for each search, sent without it. */
function besideHand(
  what: string,
  { service, hand }: { service: readonly number[]; hand: readonly number[] },
  most: number,
): Row[] {
  const ratios = [0.5, 0.95].map((share) => percentileRatio(service, hand, { share }));
  const met = ratios.every(({ value }) => value <= most);
  return [
    row(`${what}, personalized by hand, p50 / p95 / p99`, percentiles(hand, 0.5, 0.95, 0.99)),
    row(`${what}, personalized through the service : by hand, p50 and p95`, ratios.map(shown).join(' and '), {
      target: `<= ${most.toFixed(1)}`,
      met,
    }),
  ];
}

async function stream(
  shop: BenchShop,
  { warm, measured }: { warm: readonly Search[]; measured: readonly Search[] },
  engine: keyof typeof MOST_RATIO,
): Promise<Row[]> {
  const recorded =
    engine === 'embedded'
      ? []
      : await recordSearches(
          shop,
          measured.map(({ personal }) => personal),
        );
  const handPort = Number(new URL(shop.storage.elasticsearchUrl ?? 'http://localhost').port);
  const byHand = ({ asked }: RecordedSearch): Question => ({ port: handPort, requests: asked });
  await generateLoad({ kind: 'rounds', rounds: warm.map(({ personal }) => [asking(shop, personal)]), seed: 61 });
  const rounds = measured.map(({ neutral, personal }, at) => [
    asking(shop, neutral),
    asking(shop, personal),
    ...recorded.slice(at, at + 1).map(byHand),
  ]);
  const { value, cores: used } = await shop.coresDuring(() => generateLoad({ kind: 'rounds', rounds, seed: 62 }));
  const [neutral = [], service = [], hand = []] = value.ways;
  const ratio = percentileRatio(service, neutral, { share: 0.95 });
  const what = `Zipf stream, ${count(shop.size)} products`;
  const p50 = percentile(service, 0.5);
  const isEmbedded = engine === 'embedded';
  return [
    row(`${what}, neutral, p50 / p95 / p99`, percentiles(neutral, 0.5, 0.95, 0.99)),
    row(
      `${what}, personalized, p50 / p95 / p99 (${count(measured.length)} searches; service ${cores(used)})`,
      percentiles(service, 0.5, 0.95, 0.99),
      ...(isEmbedded && shop.size === LARGE
        ? [{ target: `p50 < ${SLOWEST_P50_MS} ms`, met: p50 < SLOWEST_P50_MS }]
        : []),
    ),
    row(`${what}, personalized : neutral at p95`, shown(ratio), {
      target: `<= ${MOST_RATIO[engine]}`,
      met: ratio.value <= MOST_RATIO[engine],
    }),
    ...(isEmbedded ? [] : besideHand(what, { service, hand }, MOST_TIMES_BY_HAND)),
  ];
}

/** Every query for the first time, so that nothing that is kept of a query helps. */
async function newOnes(shop: BenchShop, searches: readonly Search[]): Promise<Row[]> {
  const recorded = await recordSearches(
    shop,
    searches.map(({ personal }) => personal),
  );
  const port = Number(new URL(shop.storage.elasticsearchUrl ?? '').port);
  const rounds = recorded.map(({ path, asked }) => [asking(shop, path), { port, requests: asked }]);
  const { ways } = await generateLoad({ kind: 'rounds', rounds, seed: 63 });
  const [service = [], hand = []] = ways;
  const what = `Every query new, ${count(shop.size)} products`;
  return [
    row(`${what}, personalized, p50 / p95 / p99`, percentiles(service, 0.5, 0.95, 0.99)),
    ...besideHand(what, { service, hand }, MOST_TIMES_NEW),
  ];
}

async function throughput(shop: BenchShop, searches: readonly Search[], quick: boolean): Promise<Row> {
  const list = searches.map(({ personal }) => ({
    method: 'GET' as const,
    path: personal,
    headers: shop.target.headers,
  }));
  const requests = { kind: 'list' as const, list };
  const ms = quick ? 3000 : 15_000;
  const { value, cores: used } = await shop.coresDuring(() =>
    generateLoad({ kind: 'saturate', target: shop.target, requests, connections: CONNECTIONS, ms }),
  );
  const rate = value.latencies.length / value.seconds;
  return row(
    `Zipf stream, ${count(shop.size)} products, personalized searches a second (${CONNECTIONS} connections; service ${cores(used)})`,
    count(rate),
    ...(shop.size === LARGE ? [{ target: `>= ${LEAST_A_SECOND}`, met: rate >= LEAST_A_SECOND }] : []),
  );
}

/** Searches as a store has them: queries by Zipf's law with exponent 1, each by one of some hundred shoppers. */
export const zipf: Scenario = {
  name: 'zipf',
  sizes: [SMALL, LARGE],
  async run(shop, { quick, engine }) {
    const chance = new Chance(shop.size + 7);
    const queries = newQueries(shop, chance, QUERIES);
    const ranks = new Zipf(queries.length);
    const drawn = (size: number): Search[] =>
      Array.from({ length: size }, () => searchOf(shop, queries[ranks.draw(chance)] ?? '', chance));
    const many = engine === 'embedded' ? 5000 : 2000;
    const searches = { warm: drawn(quick ? 300 : 3000), measured: drawn(quick ? 300 : many) };
    const rows = await stream(shop, searches, engine);
    if (engine === 'embedded') return [...rows, await throughput(shop, searches.measured, quick)];
    const others = newQueries(shop, chance, quick ? 150 : 1000, new Set(queries));
    return [
      ...rows,
      ...(await newOnes(
        shop,
        others.map((query) => searchOf(shop, query, chance)),
      )),
    ];
  },
};
