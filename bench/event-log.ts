import { parseArgs } from 'node:util';
import { ElasticEventLog } from '../src/behaviour/events/adapters/elastic/elastic-event-log';
import { SystemClock } from '../src/clock';
import { ElasticConnection } from '../src/storage/elastic';
import { Dice } from '../test/support/dice';
import { TestServer } from '../test/servers/test-server';
import { bareBulk, during, someEvent } from './bare-bulk';
import { count, milliseconds } from './scenario';
import { percentile } from './statistics';

/**
 * Durable events a second in Elasticsearch, beside a bare `_bulk` of the same documents in the same run:
 * `node scripts/tool.mjs bench/event-log.ts [--url http://...] [--seconds 5]`. Without a url it starts a server of its own.
 */
const CALLERS = 256;
const ROUNDS = 3;

async function measure(url: string, seconds: number): Promise<void> {
  const elastic = await ElasticConnection.open({ url, prefix: `bench${Date.now()}`, timeoutMs: 30_000 });
  const log = await ElasticEventLog.open({ connection: elastic, clock: new SystemClock(), lacking: async () => [] });
  const dice = new Dice(1);
  const bare = bareBulk(elastic, dice);
  await log.append([someEvent(dice)]);
  for (let round = 0; round <= ROUNDS; round += 1) {
    const plain = await during(seconds, 2, bare);
    const logged = await during(seconds, CALLERS, async () => (await log.append([someEvent(dice)])).length);
    const alone = await during(1, 1, async () => (await log.append([someEvent(dice)])).length);
    if (round === 0) continue;
    const [p50, p99] = [0.5, 0.99].map((share) => milliseconds(percentile(logged.latencies, share)));
    process.stdout.write(
      `bare _bulk ${count(plain.rate)}/s; event log ${count(logged.rate)}/s, p50 ${p50}, p99 ${p99} at ${CALLERS} callers; ` +
        `${milliseconds(percentile(alone.latencies, 0.5))} alone\n`,
    );
  }
  await elastic.close();
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { url: { type: 'string' }, seconds: { type: 'string', default: '5' } } });
  const server = values.url ? null : await TestServer.start('elasticsearch');
  try {
    await measure(values.url ?? server?.url ?? '', Number(values.seconds));
  } finally {
    await server?.stop();
  }
}

void main();
