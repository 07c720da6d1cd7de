import { generateLoad } from '../load/generate-load';
import type { LoadRequests } from '../load/tasks';
import { cores, count, percentiles, row, type Scenario, SMALL } from '../scenario';
import type { BenchShop } from '../shop';

const LEAST_A_SECOND = 3000;
const PACE = 200;
/** A server's compilers take as many seconds until they have seen enough; and an event waits longer for its disk, so that more are under way. */
const SATURATION = {
  embedded: { warmUpMs: 2000, connections: 64 },
  elasticsearch: { warmUpMs: 40_000, connections: 256 },
};

function views(shop: BenchShop, seed: number): LoadRequests {
  return { kind: 'views', products: shop.size, users: 5000, keys: shop.keys, seed };
}

/** Events that were answered 204, which means on disk. */
export const events: Scenario = {
  name: 'events',
  sizes: [SMALL],
  async run(shop, { quick, engine }) {
    const target = { port: shop.target.port, headers: {} };
    const { warmUpMs, connections } = SATURATION[engine];
    await generateLoad({ kind: 'saturate', target, requests: views(shop, 2), connections, ms: warmUpMs });
    const paced = await generateLoad({
      kind: 'pace',
      target,
      requests: views(shop, 1),
      connections: 32,
      perSecond: PACE,
      ms: quick ? 5000 : 15_000,
    });
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
