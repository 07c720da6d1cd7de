import { Chance } from '../data/chance';
import { generateLoad } from '../load/generate-load';
import type { Question } from '../load/tasks';
import { cores, count, LARGE, percentiles, row, type Scenario, SMALL } from '../scenario';
import { percentileRatio } from '../statistics';

const MOST_RATIO = 1.15;

/** Personalized beside neutral: the same query in pairs, in random order within a pair. */
export const search: Scenario = {
  name: 'search',
  sizes: [SMALL, LARGE],
  async run(shop, { quick, engine }) {
    const chance = new Chance(shop.size);
    const { port, headers } = shop.target;
    const draw = (pairs: number): Question[][] =>
      Array.from({ length: pairs }, () => {
        const { neutral, personal } = shop.search(chance);
        return [neutral, personal].map((path) => ({ port, requests: [{ method: 'GET', path, headers }] }));
      });
    await generateLoad({ kind: 'rounds', rounds: draw(quick ? 100 : 300), seed: 1 });
    // On Elasticsearch a search takes longer, and its goal is measured elsewhere (bare-engine.ts).
    const many = engine === 'embedded' ? 5000 : 1500;
    const pairs = draw(quick ? 500 : many);
    const { value: load, cores: used } = await shop.coresDuring(() =>
      generateLoad({ kind: 'rounds', rounds: pairs, seed: 2 }),
    );
    const [neutral = [], personal = []] = load.ways;
    const ratio = percentileRatio(personal, neutral, { share: 0.95 });
    const products = `${count(shop.size)} products`;
    return [
      row(`Search ${products}, neutral, p50 / p95 / p99`, percentiles(neutral, 0.5, 0.95, 0.99)),
      row(`Search ${products}, personalized, p50 / p95 / p99`, percentiles(personal, 0.5, 0.95, 0.99)),
      row(
        `Search ${products}, personalized : neutral at p95 (${count(pairs.length)} pairs)`,
        `${ratio.value.toFixed(3)} (95% interval ${ratio.low.toFixed(3)} to ${ratio.high.toFixed(3)}; service ${cores(used)}, load ${cores(load.cores)})`,
        ...(engine === 'embedded' ? [{ target: `<= ${MOST_RATIO}`, met: ratio.value <= MOST_RATIO }] : []),
      ),
    ];
  },
};
