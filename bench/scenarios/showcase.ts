import { setTimeout as sleep } from 'node:timers/promises';
import { Chance } from '../data/chance';
import { searchQuery } from '../data/queries';
import { generateLoad } from '../load/generate-load';
import type { BenchRequest } from '../load/connection';
import { type BenchOptions, cores, count, LARGE, milliseconds, percentiles, row, type Scenario } from '../scenario';
import type { BenchShop } from '../shop';
import { percentile } from '../statistics';

const CAMPAIGNS = 1000;
const PRODUCTS_EACH = 10;
/** Cards of one reply: ten widgets of a hundred. */
const LINKS_A_REPLY = 1000;
const PACE = 200;
const MOST_TRIES = 20;
const TRY_AGAIN_MS = 500;
const MOST_CLICK_MS = 20;
const LEAST_CLICKS = 2000;
const MOST_SHOWCASE_MS = 25;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36';

async function advertise(shop: BenchShop): Promise<void> {
  // The load comes from one address, and at a pace that no shopper has.
  const limits = { clicksPerMinute: 100_000_000, usersPerHour: 100_000_000, addressShare: 1 };
  await shop.admin('PATCH', '/admin/stores/bench', { settings: { showcase: { ...limits, creditInvalid: false } } });
  const chance = new Chance(99);
  for (let number = 0; number < CAMPAIGNS; number += 1) {
    const products = Array.from({ length: PRODUCTS_EACH }, () => `p${chance.below(shop.size)}`);
    await shop.admin('PUT', `/admin/stores/bench/campaigns/c${number}`, {
      name: `Campaign ${number}`,
      products: [...new Set(products)],
      placements: ['home', 'category', 'product', 'search'],
      budget: 1_000_000,
      bid: (10 + chance.below(200)) / 100,
    });
  }
}

/** The first request after a thousand campaigns were named may be told to come again: their products are being read. */
async function untilShown(shop: BenchShop): Promise<void> {
  const url = `http://127.0.0.1:${shop.target.port}/v2/showcases?placement=home&widgets=native,24_all`;
  for (let tried = 0; tried < MOST_TRIES; tried += 1) {
    if ((await fetch(url, { headers: shop.target.headers })).ok) return;
    await sleep(TRY_AGAIN_MS);
  }
  throw new Error('The showcase did not become ready');
}

/** A page of each kind as often as any other, by shoppers with histories. */
function pages(shop: BenchShop, number: number): BenchRequest[] {
  const chance = new Chance(5);
  return Array.from({ length: number }, (_, at) => {
    const product = shop.catalog.product(chance.below(shop.size));
    const terms = new URLSearchParams(searchQuery(product, chance)).get('terms') ?? product.nameWords[0] ?? '';
    const page = [
      'placement=home',
      `placement=category&${product.categories.map((name) => `categories=${encodeURIComponent(name)}`).join('&')}`,
      `placement=product&id=${product.id}`,
      `placement=search&search=${encodeURIComponent(terms)}`,
    ][at % 4];
    const headers = { ...shop.target.headers, 'x-user-id': chance.of(shop.shoppers).userId };
    return { method: 'GET', path: `/v2/showcases?widgets=native,24_all&${page}`, headers };
  });
}

/** Links that nobody has clicked, each of a shopper's own. */
async function links(shop: BenchShop, number: number, seed: string): Promise<BenchRequest[]> {
  const requests: BenchRequest[] = [];
  const widgets = Array.from({ length: 10 }, () => 'widgets=native,100_all').join('&');
  for (let user = 0; requests.length < number; user += 1) {
    const headers = { ...shop.target.headers, 'x-user-id': `clicker-${seed}-${user}` };
    const reply = await fetch(`http://127.0.0.1:${shop.target.port}/v2/showcases?placement=home&${widgets}`, {
      headers,
    });
    const { data } = (await reply.json()) as { data: { data: { link: string }[] }[] };
    const cards = data.flatMap((widget) => widget.data).slice(0, LINKS_A_REPLY);
    if (cards.length === 0) throw new Error('The showcase is empty');
    for (const { link } of cards) {
      const { pathname, search } = new URL(link);
      requests.push({ method: 'GET', path: `${pathname}${search}&redirect=0`, headers: { 'user-agent': BROWSER } });
    }
  }
  return requests.slice(0, number);
}

/** Clicks at a fixed rate. */
async function paced(shop: BenchShop, ms: number, seed: string): Promise<{ latencies: number[]; failures: number }> {
  const list = await links(shop, (PACE * ms) / 1000 + PACE, seed);
  const target = { port: shop.target.port, headers: {} };
  const requests = { kind: 'list', list } as const;
  return generateLoad({ kind: 'pace', target, requests, connections: 32, perSecond: PACE, ms });
}

async function clicks(shop: BenchShop, { quick, engine }: BenchOptions): ReturnType<Scenario['run']> {
  const ms = quick ? 5000 : 15_000;
  const show = ({ latencies, failures }: Awaited<ReturnType<typeof paced>>): string =>
    `${percentiles(latencies, 0.5, 0.99)}, ${failures} failed`;
  // Elasticsearch's compilers have not seen a click before.
  const first = engine === 'elasticsearch' ? await paced(shop, ms, 'first') : null;
  const rest = await paced(shop, ms, 'rest');
  const worst = percentile(rest.latencies, 0.99);
  const target = { port: shop.target.port, headers: {} };
  const many = await links(shop, (5 * LEAST_CLICKS * ms) / 2000, 'full');
  const connections = 64;
  const { value: full, cores: used } = await shop.coresDuring(() =>
    generateLoad({ kind: 'saturate', target, requests: { kind: 'list', list: many }, connections, ms }),
  );
  const rate = full.latencies.length / full.seconds;
  return [
    ...(first ? [row(`Click, ${PACE} a second, the first since the start, p50 / p99`, show(first))] : []),
    row(`Click, ${PACE} a second, p50 / p99`, show(rest), {
      target: `p99 < ${MOST_CLICK_MS} ms`,
      met: worst < MOST_CLICK_MS && rest.failures === 0,
    }),
    row(
      `Clicks, ${connections} connections`,
      `${count(rate)}/s, ${full.failures} failed (service ${cores(used)}, load ${cores(full.cores)})`,
      { target: `>= ${count(LEAST_CLICKS)}/s`, met: rate >= LEAST_CLICKS && full.failures === 0 },
    ),
    row('Click, at that rate, p50 / p99', percentiles(full.latencies, 0.5, 0.99)),
  ];
}

/** Showcases of a large catalog with many campaigns, and clicks that were not made before. */
export const showcase: Scenario = {
  name: 'showcase',
  sizes: [LARGE],
  async run(shop, options) {
    const { quick } = options;
    await advertise(shop);
    await untilShown(shop);
    const { port } = shop.target;
    const rounds = (requests: BenchRequest[]) => requests.map((one) => [{ port, requests: [one] }]);
    await generateLoad({ kind: 'rounds', rounds: rounds(pages(shop, 200)), seed: 1 });
    const { ways } = await generateLoad({ kind: 'rounds', rounds: rounds(pages(shop, quick ? 600 : 3000)), seed: 2 });
    const latencies = ways[0] ?? [];
    const p95 = percentile(latencies, 0.95);
    return [
      row(
        `Showcase ${count(shop.size)} products, ${count(CAMPAIGNS)} campaigns, p50 / p95 / p99`,
        percentiles(latencies, 0.5, 0.95, 0.99),
        { target: `p95 < ${milliseconds(MOST_SHOWCASE_MS)}`, met: p95 < MOST_SHOWCASE_MS },
      ),
      ...(await clicks(shop, options)),
    ];
  },
};
