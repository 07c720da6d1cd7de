import { Chance } from '../data/chance';
import { searchQuery, unknownQuery } from '../data/queries';
import { generateLoad } from '../load/generate-load';
import type { Question } from '../load/tasks';
import { count, LARGE, percentiles, row, type Scenario, SMALL } from '../scenario';
import { percentileRatio } from '../statistics';

const MOST_RATIO = 5;

/** A search for 32 words that no product has beside an ordinary one, in pairs: what a page that pastes nonsense costs the others. */
export const unknownWords: Scenario = {
  name: 'unknown',
  sizes: [SMALL, LARGE],
  async run(shop, { quick }) {
    const chance = new Chance(shop.size + 32);
    const { port, headers } = shop.target;
    const ask = (query: string): Question => ({
      port,
      requests: [{ method: 'GET', path: `/searchapi/v3/queries?${query}`, headers }],
    });
    const draw = (pairs: number): Question[][] =>
      Array.from({ length: pairs }, () => {
        const product = shop.catalog.product(chance.below(shop.size));
        return [ask(searchQuery(product, chance)), ask(unknownQuery(product, chance))];
      });
    await generateLoad({ kind: 'rounds', rounds: draw(quick ? 50 : 200), seed: 61 });
    const {
      ways: [ordinary = [], unknown = []],
    } = await generateLoad({ kind: 'rounds', rounds: draw(quick ? 200 : 1000), seed: 62 });
    const ratio = percentileRatio(unknown, ordinary, { share: 0.5 });
    const products = `${count(shop.size)} products`;
    return [
      row(`Search ${products}, an ordinary query, p50 / p95`, percentiles(ordinary, 0.5, 0.95)),
      row(`Search ${products}, 32 words that nobody has, p50 / p95`, percentiles(unknown, 0.5, 0.95)),
      row(
        `Search ${products}, 32 unknown words : an ordinary query at p50`,
        `${ratio.value.toFixed(2)} (95% interval ${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`,
        { target: `<= ${MOST_RATIO}`, met: ratio.value <= MOST_RATIO },
      ),
    ];
  },
};
