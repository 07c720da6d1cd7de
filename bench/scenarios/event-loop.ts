import { Chance } from '../data/chance';
import { generateLoad } from '../load/generate-load';
import type { LoadRequests } from '../load/tasks';
import { cores, count, LARGE, milliseconds, percentiles, row, type Scenario } from '../scenario';
import type { BenchShop } from '../shop';

const MOST_DELAY_MS = 20;
const SHARE_OF_SATURATION = 0.3;
const DIFFERENT_SEARCHES = 4000;

function searches(shop: BenchShop): LoadRequests {
  const chance = new Chance(shop.size + 1);
  const list = Array.from({ length: DIFFERENT_SEARCHES }, () => {
    const { personal } = shop.search(chance);
    return { method: 'GET' as const, path: personal };
  });
  return { kind: 'list', list };
}

/** How long the event loop is held while searches run at a fixed share of the most the service can do. */
export const eventLoop: Scenario = {
  name: 'loop',
  sizes: [LARGE],
  async run(shop, { quick }) {
    const requests = searches(shop);
    const { target } = shop;
    const full = await shop.coresDuring(() =>
      generateLoad({ kind: 'saturate', target, requests, connections: 8, ms: quick ? 5000 : 15_000 }),
    );
    const saturation = full.value.latencies.length / full.value.seconds;
    const perSecond = saturation * SHARE_OF_SATURATION;
    await shop.service.loopDelay();
    const paced = await shop.coresDuring(() =>
      generateLoad({ kind: 'pace', target, requests, connections: 32, perSecond, ms: quick ? 8000 : 30_000 }),
    );
    const delay = await shop.service.loopDelay();
    return [
      row(
        `Searches at saturation, ${count(shop.size)} products, personalized, 8 connections`,
        `${count(saturation)}/s, ${full.value.failures} failed (service ${cores(full.cores)}, load ${cores(full.value.cores)})`,
      ),
      row(
        `Event-loop delay p99 at 30% of saturation (${count(perSecond)} searches/s), ${count(shop.size)} products`,
        `${milliseconds(delay.p99)} (p50 ${milliseconds(delay.p50)}, longest ${milliseconds(delay.max)})`,
        { target: `< ${MOST_DELAY_MS} ms`, met: delay.p99 < MOST_DELAY_MS },
      ),
      row(
        'Searches meanwhile, p50 / p95 / p99',
        `${percentiles(paced.value.latencies, 0.5, 0.95, 0.99)}, ${paced.value.failures} failed (service ${cores(paced.cores)}, load ${cores(paced.value.cores)})`,
      ),
    ];
  },
};
