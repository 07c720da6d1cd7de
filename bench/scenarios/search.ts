import { Chance } from '../data/chance';
import { generateLoad } from '../load/generate-load';
import { cores, count, LARGE, percentiles, row, type Scenario, SMALL } from '../scenario';
import { percentileRatio } from '../statistics';

const MOST_RATIO = 1.15;

/** Personalized beside neutral: the same query in pairs, in random order within a pair. */
export const search: Scenario = {
  name: 'search',
  sizes: [SMALL, LARGE],
  async run(shop, { quick }) {
    const chance = new Chance(shop.size);
    const draw = (pairs: number) => Array.from({ length: pairs }, () => shop.search(chance));
    await generateLoad({ kind: 'pairs', target: shop.target, pairs: draw(quick ? 100 : 300), seed: 1 });
    const pairs = draw(quick ? 500 : 5000);
    const { value: load, cores: used } = await shop.coresDuring(() =>
      generateLoad({ kind: 'pairs', target: shop.target, pairs, seed: 2 }),
    );
    const ratio = percentileRatio(load.others, load.latencies, { share: 0.95 });
    const products = `${count(shop.size)} products`;
    return [
      row(`Search ${products}, neutral, p50 / p95 / p99`, percentiles(load.latencies, 0.5, 0.95, 0.99)),
      row(`Search ${products}, personalized, p50 / p95 / p99`, percentiles(load.others, 0.5, 0.95, 0.99)),
      row(
        `Search ${products}, personalized : neutral at p95 (${count(pairs.length)} pairs)`,
        `${ratio.value.toFixed(3)} (95% interval ${ratio.low.toFixed(3)} to ${ratio.high.toFixed(3)}; service ${cores(used)}, load ${cores(load.cores)})`,
        // Of Elasticsearch something else is asked, beside the bare engine.
        shop.production ? undefined : { target: `<= ${MOST_RATIO}`, met: ratio.value <= MOST_RATIO },
      ),
    ];
  },
};
