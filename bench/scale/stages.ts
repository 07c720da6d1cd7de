import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet, FleetStore } from './fleet';
import { keysOf } from './fleet';
import type { CountingProxy } from './counting-proxy';

const MINUTE_MS = 60_000;
const LONGEST_MOVE_MS = 1_800_000;
const LONGEST_RESTART_MS = 300_000;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36';
/** Begun before the month ends, and gone on with behind it. */
const BEFORE_TURN_MS = 40_000;
const AFTER_TURN_MS = 30_000;
const TURN_PACE_MS = 100;

/** Requests to Elasticsearch of a service that nobody asks anything, in a minute. */
export async function idleMinute(proxy: CountingProxy): Promise<{ total: number; kinds: string }> {
  proxy.take();
  await sleep(MINUTE_MS);
  const { total, kinds } = proxy.take();
  return { total, kinds: kinds.map(([kind, count]) => `${count} ${kind}`).join(', ') };
}

/** Milliseconds until the cluster, which was just started again, has all its shards, and a store is found in. */
export async function untilGreen(
  elasticsearchUrl: string,
  fleet: Fleet,
  begun: number,
): Promise<[green: number, serves: number]> {
  const until = performance.now() + LONGEST_RESTART_MS;
  let green = 0;
  while (performance.now() < until) {
    green ||= (await isGreen(elasticsearchUrl)) ? performance.now() - begun : 0;
    const [store] = fleet.stores;
    if (green > 0 && store && (await fleet.find(store)) === store.size) return [green, performance.now() - begun];
    await sleep(100);
  }
  throw new Error('The cluster did not become green again');
}

async function isGreen(url: string): Promise<boolean> {
  try {
    const health = (await (await fetch(`${url}/_cluster/health`)).json()) as { status?: string };
    return health.status === 'green';
  } catch {
    return false;
  }
}

export async function shards(url: string): Promise<number> {
  const { active_shards: active } = (await (await fetch(`${url}/_cluster/health`)).json()) as { active_shards: number };
  return active;
}

export interface Move {
  searches: number;
  /** How each of them failed. */
  failed: string[];
  short: number;
  /** From the first product more to the store's own index. */
  seconds: number;
}

/** A store of few products is sent many more, while it is searched for one of the first: it has to be found all the time. */
export async function moveUnderSearches(
  fleet: Fleet,
  store: FleetStore,
  size: number,
  ownIndex: () => Promise<boolean>,
): Promise<Move> {
  const move: Move = { searches: 0, failed: [], short: 0, seconds: 0 };
  const began = performance.now();
  const ended = new AbortController();
  const least = store.size;
  let known = least;
  const search = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const expected = known;
      const found = await fleet.find(store);
      move.searches += 1;
      if (typeof found === 'string') move.failed.push(found);
      // What was found once is found from then on.
      else if (found < expected) move.short += 1;
      else known = Math.max(known, found);
      await sleep(20);
    }
  };
  const searching = Promise.all([search(), search()]);
  try {
    await fleet.grow(store, size);
    while (!(await ownIndex())) {
      if (performance.now() - began > LONGEST_MOVE_MS) throw new Error('The store has no index of its own');
      await sleep(500);
    }
    move.seconds = (performance.now() - began) / 1000;
    await sleep(3000);
  } finally {
    ended.abort();
    await searching;
  }
  if ((await fleet.find(store)) !== size) move.short += 1;
  return move;
}

/** Settings of a service whose clock is a little before the end of the month (UTC). */
export function beforeTurn(): Record<string, string> {
  const now = new Date();
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const hurried = join(__dirname, '../../test/support/hurried.js');
  return {
    NODE_OPTIONS: `--require ${JSON.stringify(hurried)}`,
    HURRIED_MS: String(end - now.getTime() - BEFORE_TURN_MS),
  };
}

/** Events and clicks on showcases, from before the month's end until after it. Answers how many were sent, and what failed. */
export async function overTurn(
  fleet: Fleet,
  store: FleetStore,
): Promise<{ events: number; clicks: number; failed: string[] }> {
  const done = { events: 0, clicks: 0, failed: [] as string[] };
  const links = await linksOf(fleet, store);
  const until = performance.now() + BEFORE_TURN_MS + AFTER_TURN_MS;
  const send = async (kind: 'events' | 'clicks', path: string, request: RequestInit): Promise<void> => {
    done[kind] += 1;
    const status = await fetch(fleet.url(path), request).then(
      (reply) => reply.status,
      (error: unknown) => String(error),
    );
    if (typeof status !== 'number' || status >= 400) done.failed.push(`${kind}: ${status}`);
  };
  const under: Promise<void>[] = [];
  for (let number = 0; performance.now() < until; number += 1) {
    const body = JSON.stringify({ pid: `p${store.from}`, userId: `turn-${number}` });
    const headers = { ...keysOf(store), 'content-type': 'application/json', 'user-agent': BROWSER };
    under.push(send('events', '/v7/events/views/product', { method: 'POST', headers, body }));
    const link = links[number];
    if (link) under.push(send('clicks', link, { headers: { 'user-agent': BROWSER } }));
    await sleep(TURN_PACE_MS);
  }
  await Promise.all(under);
  return done;
}

/** Paths of links that nobody has clicked. */
async function linksOf(fleet: Fleet, store: FleetStore): Promise<string[]> {
  const limits = { clicksPerMinute: 100_000_000, usersPerHour: 100_000_000, addressShare: 1, creditInvalid: false };
  await fleet.admin('PATCH', `/admin/stores/${store.apiKey}`, { settings: { showcase: limits } });
  await fleet.admin('PUT', `/admin/stores/${store.apiKey}/campaigns/turn`, {
    name: 'Turn',
    products: Array.from({ length: 10 }, (_, at) => `p${store.from + at}`),
    placements: ['home'],
    budget: 1_000_000,
    bid: 0.1,
  });
  const links: string[] = [];
  for (let user = 0; user < 200; user += 1) {
    const headers = { ...keysOf(store), 'x-user-id': `turn-${user}` };
    const reply = await fetch(fleet.url('/v2/showcases?placement=home&widgets=native,10_all'), { headers });
    if (!reply.ok) {
      await sleep(500);
      continue;
    }
    const { data } = (await reply.json()) as { data: { data: { link: string }[] }[] };
    for (const { link } of data.flatMap((widget) => widget.data)) {
      const { pathname, search } = new URL(link);
      links.push(`${pathname}${search}&redirect=0`);
    }
  }
  return links;
}
