import { Dice } from '../../test/support/dice';
import { bareBulk, during } from '../bare-bulk';
import { generateLoad } from '../load/generate-load';
import type { LoadRequests } from '../load/tasks';
import { cores, count, percentiles, row, type Row, type Scenario, SMALL } from '../scenario';
import type { BenchShop } from '../shop';

const LEAST_A_SECOND = 3000;
const PACE = 200;

function views(shop: BenchShop, seed: number): LoadRequests {
  return { kind: 'views', products: shop.size, users: 5000, keys: shop.keys, seed };
}

/** What the cluster takes of the same documents, in the indices of the log. */
async function beside({ production }: BenchShop, seconds: number): Promise<Row[]> {
  if (!production) return [];
  const connection = await production.connect();
  const { rate } = await during(seconds, 2, bareBulk(connection, new Dice(1)));
  await connection.close();
  return [row('Bare _bulk of such events, 500 a request, 2 requests at once', `${count(rate)}/s`)];
}

/** Events that were answered 204, which means on disk. */
export const events: Scenario = {
  name: 'events',
  sizes: [SMALL],
  async run(shop, { quick }) {
    const target = { port: shop.target.port, headers: {} };
    const paced = await generateLoad({
      kind: 'pace',
      target,
      requests: views(shop, 1),
      connections: 32,
      perSecond: PACE,
      ms: quick ? 5000 : 15_000,
    });
    const connections = 64;
    await generateLoad({ kind: 'saturate', target, requests: views(shop, 2), connections, ms: 2000 });
    const { value: full, cores: used } = await shop.coresDuring(() =>
      generateLoad({ kind: 'saturate', target, requests: views(shop, 3), connections, ms: quick ? 5000 : 15_000 }),
    );
    const rate = full.latencies.length / full.seconds;
    return [
      row(
        `Durable event, ${PACE} events/s, p50 / p99`,
        `${percentiles(paced.latencies, 0.5, 0.99)}, ${paced.failures} failed`,
      ),
      row(
        `Durable events through HTTP, ${connections} connections`,
        `${count(rate)}/s, ${full.failures} failed (service ${cores(used)}, load ${cores(full.cores)})`,
        { target: `>= ${count(LEAST_A_SECOND)}/s`, met: rate >= LEAST_A_SECOND && full.failures === 0 },
      ),
      row('Durable event, at that rate, p50 / p99', percentiles(full.latencies, 0.5, 0.99)),
      ...(await beside(shop, quick ? 5 : 15)),
    ];
  },
};
