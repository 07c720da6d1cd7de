import { setTimeout as sleep } from 'node:timers/promises';
import { SystemClock } from '../../../src/shared/clock';
import { ElasticSearchEngine } from '../../../src/engine/adapters/elastic/elastic-search-engine';
import type { EngineResult } from '../../../src/engine/search-engine';
import { type PersonalWindow, personalWindow } from '../../../src/engine/plan/personal-window';
import { queriesOf } from './comparison-shop';
import { type EnginePair, overlap, scoreMass } from './engine-pair';

const TOP = 24;
const DEEP = 500;
const FEWEST_HITS = 1000;
const MOST_HITS = 9999;
/** Queries looked at for one that has so many hits. */
const LOOKED_AT = 200;
const MOST_TRIES = 100;
const PAUSE_MS = 20;

export interface TwoPlans {
  /** The same of hits kept in the process, by the scores of the embedded engine: the formula itself. */
  kept: number[];
  /** Queries whose first 24 are other products there, by more than rounding. */
  otherwise: string[];
  /** Score mass of the first 24 where a thousand candidates stand for all hits, by the scores over all of them. */
  mass: number[];
  /** Queries whose first 24 differ where the window covers all hits. */
  unequal: string[];
  compared: number;
}

/** All ways of ranking personally, over queries with 1,000 to 9,999 hits: whichever the number of hits, or of times asked, would have chosen. */
export async function compareTwoPlans(pair: EnginePair, options: { queries: number; seed: number }): Promise<TwoPlans> {
  const engineOf = (window?: PersonalWindow): ElasticSearchEngine =>
    new ElasticSearchEngine(pair.connection, new SystemClock(), { ...(window ? { window } : {}), keptBytes: 0 });
  const engines = [
    engineOf(),
    engineOf({ above: 0, size: personalWindow.size }),
    engineOf({ above: 0, size: MOST_HITS }),
  ];
  const found: TwoPlans = { kept: [], otherwise: [], mass: [], unequal: [], compared: 0 };
  const { shoppers } = pair.shop;
  for (const asked of queriesOf(pair.shop, options.queries * LOOKED_AT, options.seed)) {
    if (found.compared === options.queries) break;
    const name = `${asked.terms ?? '(browsing)'} [${asked.filter}]`;
    const plan = await pair.plan(pair.elastic, asked, { size: DEEP });
    const { total } = await pair.search(pair.elastic, { plan: { ...plan, size: 0 } });
    const boosts = shoppers[found.compared % shoppers.length]?.boosts;
    if (!boosts || total < FEWEST_HITS || total > MOST_HITS) continue;
    found.compared += 1;
    const query = { plan, boosts };
    const [all, window, covered] = await Promise.all(engines.map((engine) => pair.search(engine, query)));
    if (!all || !window || !covered) continue;
    if (window.execution !== 'window' || covered.execution !== 'window' || all.execution !== 'all') {
      throw new Error(`Not the plans to be compared: ${all.execution}, ${window.execution}, ${covered.execution}`);
    }
    found.mass.push(scoreMass(all.hits, window.hits, TOP));
    const [kept, exact] = [await whenKept(pair, query), await pair.search(pair.embedded, query)];
    found.kept.push(scoreMass(exact.hits, kept.hits, TOP));
    if (overlap(exact.hits, kept.hits, TOP) < 1) found.otherwise.push(name);
    const ids = ({ hits }: typeof all): string => hits.map(({ productId }) => productId).join(' ');
    if (ids(all) !== ids(covered)) found.unequal.push(name);
  }
  return found;
}

/** The answer from kept hits: they are read beside the second search. */
async function whenKept(pair: EnginePair, query: Parameters<EnginePair['search']>[1]): Promise<EngineResult> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const result = await pair.search(pair.elastic, query);
    if (result.execution === 'kept') return result;
    await sleep(PAUSE_MS);
  }
  throw new Error('The hits were never kept');
}
