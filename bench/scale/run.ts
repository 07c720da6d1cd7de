import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TestServer } from '../../test/servers/test-server';
import { BenchCatalog } from '../data/catalog';
import { ServiceProcess } from '../service-process';
import { CountingProxy } from './counting-proxy';
import { Fleet } from './fleet';
import { beforeTurn, idleMinute, moveUnderSearches, overTurn, shards, untilGreen } from './stages';

/** `npm run scale`: thousands of stores on one node of a thousand shards, on servers of its own. docs/benchmarks.md says what it shows. */

const FEW = 10;
const MIB_MORE = 100;
const START_MS = 10_000;
const GREEN_MS = 30_000;
const IDLE = 100;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

function whole(text: string, name: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new Error(`--${name} is a whole number`);
}

function settings(): Record<'stores' | 'products' | 'big' | 'size', number> {
  const { values } = parseArgs({
    options: {
      // Small stores, and products of each.
      stores: { type: 'string', default: '5000' },
      products: { type: 'string', default: '20' },
      // Large stores, and products of each; one small store grows to as many.
      big: { type: 'string', default: '3' },
      size: { type: 'string', default: '50000' },
    },
  });
  const of = (name: keyof typeof values): number => whole(values[name] ?? '', name);
  return { stores: of('stores'), products: of('products'), big: of('big'), size: of('size') };
}

interface Servers {
  elastic: TestServer;
  redis: TestServer;
  proxy: CountingProxy;
  env: Record<string, string>;
}

async function startServers(): Promise<Servers> {
  const [elastic, redis] = await Promise.all([TestServer.start('elasticsearch', 'long'), TestServer.start('redis')]);
  const proxy = await CountingProxy.to(elastic.url);
  const secret = (): string => randomBytes(32).toString('hex');
  const secrets = { ADMIN_SECRET: secret(), LINK_SECRET: secret() };
  return { elastic, redis, proxy, env: { ELASTICSEARCH_URL: proxy.url, REDIS_URL: redis.url, ...secrets } };
}

const lines: string[] = [];
let missed = 0;

function note(what: string, measured: string, target?: { text: string; met: boolean }): void {
  const line = `${what}: ${measured}${target ? ` (${target.text}: ${target.met ? 'met' : 'MISSED'})` : ''}`;
  if (target && !target.met) missed += 1;
  say(line);
  lines.push(line);
}

async function measure({ elastic, proxy, env }: Servers, folder: string): Promise<void> {
  const { stores, products, big, size } = settings();
  const start = (more: Record<string, string> = {}): Promise<ServiceProcess> =>
    ServiceProcess.start(folder, { ...env, ...more });
  const fleet = new Fleet(new BenchCatalog(4 * size), await start());
  await fleet.add(FEW, products);
  await fleet.untilJobsAreDone();
  await fleet.service.stop();
  fleet.through(await start());
  await fleet.untilJobsAreDone();
  const few = await idleMinute(proxy);
  await fleet.lacking();
  const fewMemory = fleet.service.memory()?.now ?? 0;
  note(`Idle minute with ${FEW} stores`, `${few.total} requests (${few.kinds})`);

  const began = performance.now();
  await fleet.add(stores - FEW, products, (done) => void (done % 500 === 0 && say(`${done} stores`)));
  await fleet.add(big, size);
  note('Stores and products made', `${Math.round((performance.now() - began) / 1000)} s`);
  await fleet.untilJobsAreDone((open) => say(`${open} jobs or more`));
  const lacking = await fleet.lacking();
  note(
    `${fleet.stores.length} stores find what they have`,
    `${lacking.length} do not: ${lacking.slice(0, 5).join('; ')}`,
    {
      text: 'all do',
      met: lacking.length === 0,
    },
  );
  note('Shards', `${await shards(elastic.url)}`, {
    text: 'at most 900 of 1,000',
    met: (await shards(elastic.url)) <= 900,
  });

  await restarts(fleet, { elastic, proxy, fewMemory, start });
  await turnAndMove(fleet, { size, elasticsearch: elastic.url, start });
}

type Start = (more?: Record<string, string>) => Promise<ServiceProcess>;

interface Restarts extends Pick<Servers, 'elastic' | 'proxy'> {
  /** MiB of a service of ten stores. */
  fewMemory: number;
  start: Start;
}

async function restarts(fleet: Fleet, { elastic, proxy, fewMemory, start }: Restarts): Promise<void> {
  await fleet.service.stop();
  fleet.through(await start());
  const { startMs } = fleet.service;
  note('Start', `${Math.round(startMs)} ms`, { text: `< ${START_MS} ms`, met: startMs < START_MS });
  await fleet.untilJobsAreDone();
  const idle = await idleMinute(proxy);
  note('Idle minute', `${idle.total} requests (${idle.kinds})`, { text: `< ${IDLE}`, met: idle.total < IDLE });
  await fleet.lacking(fleet.stores.slice(0, FEW));
  const memory = fleet.service.memory()?.now ?? 0;
  note('Memory', `${Math.round(memory)} MiB, ${Math.round(fewMemory)} MiB with ${FEW} stores`, {
    text: `< ${MIB_MORE} MiB more`,
    met: memory - fewMemory < MIB_MORE,
  });

  const killed = performance.now();
  await elastic.kill();
  await elastic.startAgain();
  const [green, serves] = await untilGreen(elastic.url, fleet, killed);
  note(
    'Elasticsearch killed and started again',
    `green after ${Math.round(green)} ms, searches after ${Math.round(serves)} ms`,
    {
      text: `< ${GREEN_MS} ms`,
      met: green < GREEN_MS,
    },
  );
}

interface Last {
  size: number;
  elasticsearch: string;
  start: Start;
}

async function turnAndMove(fleet: Fleet, { size, elasticsearch, start }: Last): Promise<void> {
  const [moving, other] = fleet.stores;
  if (!moving || !other) throw new Error('There are no stores');
  const before = await shards(elasticsearch);
  const move = await moveUnderSearches(fleet, moving, size, async () => (await shards(elasticsearch)) > before);
  const { searches, failed, short, seconds } = move;
  note(
    `From ${other.size} to ${size} products into an index of its own`,
    `${Math.round(seconds)} s, ${searches} searches, ${failed.length} failed ${failed.slice(0, 3).join(', ')}, ${short} short`,
    { text: 'none failed or short', met: failed.length + short === 0 },
  );
  await fleet.service.stop();
  fleet.through(await start(beforeTurn()));
  const turn = await overTurn(fleet, other);
  note(
    "Over the month's end",
    `${turn.events} events, ${turn.clicks} clicks, ${turn.failed.length} failed ${[...new Set(turn.failed)].join(', ')}`,
    { text: 'none failed', met: turn.failed.length === 0 && turn.clicks > 0 },
  );
  await fleet.service.stop();
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-scale-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [load = 0] = loadavg();
  const servers = await startServers();
  try {
    await measure(servers, folder);
  } finally {
    await servers.proxy.close();
    await Promise.all([servers.elastic.stop(), servers.redis.stop()]);
  }
  process.stdout.write(`\nLoad before: ${load.toFixed(1)}\n${lines.join('\n')}\n`);
  process.exit(missed === 0 ? 0 : 1);
}

// Exit handlers end the child processes and remove what was written, however it ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

main().catch((error: unknown) => {
  say(`The trial did not finish: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  process.exit(1);
});
