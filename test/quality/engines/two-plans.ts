import { SystemClock } from '../../../src/shared/clock';
import { ElasticSearchEngine } from '../../../src/engine/adapters/elastic/elastic-search-engine';
import { personalWindow } from '../../../src/engine/plan/personal-window';
import { queriesOf } from './comparison-shop';
import { type EnginePair, scoreMass } from './engine-pair';

const TOP = 24;
const DEEP = 500;
const FEWEST_HITS = 1000;
const MOST_HITS = 9999;
/** Queries looked at for one that has so many hits. */
const LOOKED_AT = 200;

export interface TwoPlans {
  /** Score mass of the first 24 where a thousand candidates stand for all hits, by the scores over all of them. */
  mass: number[];
  /** Queries whose first 24 differ where the window covers all hits. */
  unequal: string[];
  compared: number;
}

/** Both ways of ranking personally, over queries with 1,000 to 9,999 hits: whichever the number of hits would have chosen. */
export async function compareTwoPlans(pair: EnginePair, options: { queries: number; seed: number }): Promise<TwoPlans> {
  const engineOf = (size: number): ElasticSearchEngine =>
    new ElasticSearchEngine(pair.connection, new SystemClock(), { window: { above: 0, size } });
  const [narrow, covering] = [engineOf(personalWindow.size), engineOf(MOST_HITS)];
  const found: TwoPlans = { mass: [], unequal: [], compared: 0 };
  const { shoppers } = pair.shop;
  for (const query of queriesOf(pair.shop, options.queries * LOOKED_AT, options.seed)) {
    if (found.compared === options.queries) break;
    const plan = await pair.plan(pair.elastic, query, { size: DEEP });
    const { total } = await pair.search(pair.elastic, { plan: { ...plan, size: 0 } });
    const boosts = shoppers[found.compared % shoppers.length]?.boosts;
    if (!boosts || total < FEWEST_HITS || total > MOST_HITS) continue;
    found.compared += 1;
    const [all, window, covered] = await Promise.all(
      [pair.elastic, narrow, covering].map((engine) => pair.search(engine, { plan, boosts })),
    );
    if (!all || !window || !covered) continue;
    if (window.execution !== 'window' || covered.execution !== 'window' || all.execution !== 'all') {
      throw new Error(`Not the plans to be compared: ${all.execution}, ${window.execution}, ${covered.execution}`);
    }
    found.mass.push(scoreMass(all.hits, window.hits, TOP));
    const ids = ({ hits }: typeof all): string => hits.map(({ productId }) => productId).join(' ');
    if (ids(all) !== ids(covered)) found.unequal.push(`${query.terms ?? '(browsing)'} [${query.filter}]`);
  }
  return found;
}
