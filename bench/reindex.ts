import { parseArgs } from 'node:util';
import { TestServer } from '../test/servers/test-server';
import { type Phase, ReindexedShop, type ReindexOutcome } from '../test/support/reindex-under-load';
import { count, percentiles } from './scenario';

/**
 * A reindex under load: `node scripts/tool.mjs bench/reindex.ts [--products 100000] [--rest 0]`. Eight clients search and two
 * write, each `--rest` milliseconds after its last answer, while a worker in a process of its own makes the index anew. With
 * ELASTICSEARCH_URL and REDIS_URL on those, else on servers of its own. Ends with 1 where anything failed or was lost.
 */
const CLIENTS = { searchers: 8, writers: 2, aroundMs: 15_000 };
const LEASE_MS = 30_000;
/** What the clients wait for an answer at most; what the service waits for one request of a search. Milliseconds. */
const PATIENCE = 30_000;
const LIMIT = 800;

function report(products: number, outcome: ReindexOutcome): string {
  const { job, tookMs, searches, failures, empty, writes, lost, documents } = outcome;
  const seconds = tookMs / 1000;
  const phases = (['before', 'during', 'after'] as const satisfies Phase[]).map((phase) => {
    const latencies = searches[phase];
    return `| searches ${phase}: p50 / p95 / p99 (${count(latencies.length)}) | ${percentiles(latencies, 0.5, 0.95, 0.99)} |`;
  });
  return [
    '| Reindex under load | |',
    '|---|---|',
    `| products | ${count(products)} |`,
    `| state, attempts | ${job.state}, ${job.attempts} |`,
    `| time | ${seconds.toFixed(1)} s, ${count(products / seconds)} products/s |`,
    ...phases,
    `| searches during it above ${LIMIT} ms | ${searches.during.filter((ms) => ms > LIMIT).length} |`,
    `| searches failed / empty | ${failures.length} / ${empty} |`,
    `| writes / lost | ${count(writes)} / ${lost.length} |`,
    `| products found afterwards | ${count(documents)} |`,
    ...[...new Set(failures)].slice(0, 5).map((failure) => `| failure | ${failure} |`),
    '',
  ].join('\n');
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { products: { type: 'string', default: '100000' }, rest: { type: 'string', default: '0' } },
  });
  const products = Number(values.products);
  const own: TestServer[] = [];
  const address = async (kind: 'elasticsearch' | 'redis', variable: string): Promise<string> => {
    const given = process.env[variable];
    if (given !== undefined) return given;
    const server = await TestServer.start(kind);
    own.push(server);
    return server.url;
  };
  try {
    const elasticsearch = await address('elasticsearch', 'ELASTICSEARCH_URL');
    const redis = await address('redis', 'REDIS_URL');
    const setup = { elasticsearch, redis, prefix: `bench${Date.now()}`, lease: LEASE_MS, timeoutMs: PATIENCE };
    process.stderr.write(`Loading ${products} products...\n`);
    const shop = await ReindexedShop.open(setup, { products, restMs: Number(values.rest), ...CLIENTS });
    try {
      await shop.startWorker();
      process.stderr.write('Reindexing...\n');
      const outcome = await shop.reindex();
      process.stdout.write(report(products, outcome));
      const { failures, empty, lost, job } = outcome;
      if (failures.length + empty + lost.length > 0 || job.state !== 'completed') process.exitCode = 1;
    } finally {
      await shop.close();
    }
  } finally {
    for (const server of own) await server.stop();
  }
}

void main();
