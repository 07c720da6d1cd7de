import { Chance } from '../data/chance';
import { beginning } from '../data/queries';
import { generateLoad } from '../load/generate-load';
import type { Question } from '../load/tasks';
import { cores, count, LARGE, percentiles, row, type Scenario, SMALL } from '../scenario';
import { percentile } from '../statistics';

const SLOWEST_P95_MS = 10;

/** What a search box asks while shoppers with a history type: five queries and five whole products. */
export const autocomplete: Scenario = {
  name: 'autocomplete',
  sizes: [SMALL, LARGE],
  async run(shop, { quick, engine }) {
    const chance = new Chance(shop.size + 5);
    const { port, headers } = shop.target;
    const draw = (requests: number): Question[][] =>
      Array.from({ length: requests }, () => {
        const { userId } = chance.of(shop.shoppers);
        const prefix = encodeURIComponent(beginning(shop.catalog.product(chance.below(shop.size)), chance));
        const path = `/engage/search/v3/autocompletes?prefix=${prefix}&userId=${userId}`;
        return [{ port, requests: [{ method: 'GET', path, headers }] }];
      });
    await generateLoad({ kind: 'rounds', rounds: draw(quick ? 100 : 500), seed: 51 });
    const rounds = draw(quick ? 500 : 3000);
    const { value, cores: used } = await shop.coresDuring(() => generateLoad({ kind: 'rounds', rounds, seed: 52 }));
    const [latencies = []] = value.ways;
    const p95 = percentile(latencies, 0.95);
    // On Elasticsearch it is two or three requests to it, whatever they take.
    const goal = engine === 'embedded' && shop.size === LARGE;
    return [
      row(
        `Autocomplete ${count(shop.size)} products, personalized, p50 / p95 / p99`,
        `${percentiles(latencies, 0.5, 0.95, 0.99)} (${count(rounds.length)} beginnings; service ${cores(used)})`,
        ...(goal ? [{ target: `p95 < ${SLOWEST_P95_MS} ms`, met: p95 < SLOWEST_P95_MS }] : []),
      ),
    ];
  },
};
