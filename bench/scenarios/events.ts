import { generateLoad } from '../load/generate-load';
import type { LoadRequests } from '../load/tasks';
import { cores, count, percentiles, row, type Scenario, SMALL } from '../scenario';
import type { BenchShop } from '../shop';

const LEAST_A_SECOND = 3000;
const PACE = 200;

function views(shop: BenchShop, seed: number): LoadRequests {
  return { kind: 'views', products: shop.size, users: 5000, keys: shop.keys, seed };
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
    ];
  },
};
