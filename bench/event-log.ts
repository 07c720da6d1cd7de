import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { documentOf, partsOf, placeOf, shopperOf } from '../src/behaviour/events/adapters/elastic/event-document';
import { ElasticEventLog } from '../src/behaviour/events/adapters/elastic/elastic-event-log';
import type { NewEvent } from '../src/behaviour/events/event-log';
import { SystemClock } from '../src/clock';
import { bulkLines } from '../src/storage/bulk-gatherer';
import { ElasticConnection } from '../src/storage/elastic';
import { anEvent, evidence, features } from '../test/builders/an-event';
import { Dice } from '../test/support/dice';
import { TestServer } from '../test/servers/test-server';
import { count, milliseconds } from './scenario';
import { percentile } from './statistics';

/**
 * Durable events a second in Elasticsearch, beside a bare `_bulk` of the same documents in the same run:
 * `node scripts/tool.mjs bench/event-log.ts [--url http://...] [--seconds 5]`. Without a url it starts a server of its own.
 */
const CALLERS = 256;
const ROUNDS = 3;
const BARE_REQUEST = 500;

/** As shops send them: most with a user and a device, a third with an id of their own. */
function someEvent(dice: Dice): NewEvent {
  const now = Date.now();
  const user = dice.below(10) < 6 ? `user-${dice.below(20_000)}` : null;
  const pid = `p${dice.below(5000)}`;
  return anEvent({
    at: now,
    receivedAt: now,
    userId: user,
    deviceId: `device-${user ?? dice.below(20_000)}`,
    userHashes: user === null ? [] : [user],
    onceKeys: dice.below(3) === 0 ? [`e:${randomUUID()}`] : [],
    evidence: evidence(now, 'product', features(pid)),
    body: { pid, price: 199.9, url: `https://store.example/${pid}`, info: { page: 'product', test: 'a'.repeat(100) } },
  });
}

interface Measured {
  rate: number;
  latencies: number[];
}

async function during(seconds: number, callers: number, work: () => Promise<number>): Promise<Measured> {
  const latencies: number[] = [];
  let done = 0;
  const begun = performance.now();
  const end = begun + seconds * 1000;
  const call = async (): Promise<void> => {
    while (performance.now() < end) {
      const before = performance.now();
      const own = await work();
      done += own;
      latencies.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return { rate: (done / (performance.now() - begun)) * 1000, latencies };
}

async function measure(url: string, seconds: number): Promise<void> {
  const elastic = await ElasticConnection.open({ url, prefix: `bench${Date.now()}`, timeoutMs: 30_000 });
  const log = await ElasticEventLog.open({ connection: elastic, clock: new SystemClock(), lacking: async () => [] });
  const dice = new Dice(1);
  let seq = 0;
  const bare = async (): Promise<number> => {
    const operations = Array.from({ length: BARE_REQUEST }, () => {
      const event = someEvent(dice);
      const { index, id } = partsOf(placeOf(event, (seq += 1)));
      const document = JSON.stringify(documentOf(event, seq, shopperOf(event)));
      return { type: 'create' as const, index: elastic.index(index), id, document };
    });
    const bulkBody = operations.map(bulkLines).join('');
    await elastic.call((client, options) =>
      client.transport.request({ method: 'POST', path: '/_bulk', bulkBody }, options),
    );
    return operations.length;
  };
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
