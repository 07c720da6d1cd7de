import { Chance } from '../data/chance';
import { generateLoad } from '../load/generate-load';
import type { BesideTrial } from '../load/tasks';
import { plainQuery } from '../plain-query';
import { Recorder } from '../recorder';
import { count, LARGE, milliseconds, percentiles, row, type Row, type Scenario, SMALL } from '../scenario';
import type { BenchShop } from '../shop';
import { percentile } from '../statistics';

const MOST_OVERHEAD_MS = 3;
const MOST_RATIO = 2.5;

/** What a trial measures, in the order of the arms. */
const ARMS = { service: 0, withoutFacets: 1, bare: 2, bareWithoutFacets: 3, plain: 4 };

/** Searches of shoppers with a history, and what the service sends for each once it has seen it before. */
async function record(shop: BenchShop, wanted: number, elasticsearchUrl: string): Promise<BesideTrial[]> {
  const recorder = await Recorder.start(elasticsearchUrl, 'products');
  const chance = new Chance(shop.size + 7);
  const trials: BesideTrial[] = [];
  try {
    const service = await shop.restart([], recorder.url);
    const ask = async (path: string): Promise<void> => {
      const reply = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers: shop.target.headers });
      await reply.arrayBuffer();
      if (!reply.ok) throw new Error(`${path}: the service answered ${reply.status}`);
    };
    for (let tries = 0; trials.length < wanted && tries < wanted * 3; tries += 1) {
      const { personal } = shop.search(chance);
      const searches = [personal, `${personal}&hide=filters`];
      for (const path of searches) await ask(path);
      const bare = [];
      for (const path of searches) bare.push(await recorder.during(() => ask(path)));
      const plain = plainQuery(bare[1] ?? []);
      if (plain) trials.push({ searches, bare: [...bare, [[plain]]] });
    }
  } finally {
    recorder.close();
  }
  if (trials.length === 0) throw new Error('The service sent no search that could be recorded');
  return trials;
}

function rows(shop: BenchShop, arms: readonly number[][]): Row[] {
  const of = (name: keyof typeof ARMS): number[] => arms[ARMS[name]] ?? [];
  const overhead = percentile(
    of('service').map((ms, at) => ms - (of('bare')[at] ?? 0)),
    0.5,
  );
  const p50 = (name: keyof typeof ARMS): number => percentile(of(name), 0.5);
  const ratio = p50('withoutFacets') / p50('plain');
  const products = `${count(shop.size)} products`;
  const ratioGoal = { target: `<= ${MOST_RATIO}`, met: ratio <= MOST_RATIO };
  return [
    row(
      `Search ${products}, personalized, p50 / p95, beside the same requests sent without the service`,
      `${percentiles(of('service'), 0.5, 0.95)} beside ${percentiles(of('bare'), 0.5, 0.95)} (${count(of('bare').length)} searches)`,
    ),
    row(`Overhead of the service, ${products}, p50 of the differences`, milliseconds(overhead), {
      target: `< ${MOST_OVERHEAD_MS} ms`,
      met: overhead < MOST_OVERHEAD_MS,
    }),
    row(
      `Personalized search : bare plain query, ${products}, facets apart, p50`,
      `${ratio.toFixed(2)} (${milliseconds(p50('withoutFacets'))} : ${milliseconds(p50('plain'))}; bare personalized ${milliseconds(p50('bareWithoutFacets'))})`,
      ...(shop.size === LARGE ? [ratioGoal] : []),
    ),
  ];
}

/** The service beside the engine it asks, in the same run: production alone. */
export const bareEngine: Scenario = {
  name: 'bare',
  sizes: [SMALL, LARGE],
  async run(shop, { quick }) {
    const { production } = shop;
    if (!production) return [];
    const { elasticsearchUrl } = production;
    const trials = await record(shop, quick ? 100 : 500, elasticsearchUrl);
    await shop.restart();
    const task = { kind: 'beside' as const, elasticsearchUrl, trials, target: shop.target };
    // Once to warm both up, as the requests were recorded.
    await generateLoad({ ...task, seed: 1 });
    const { arms = [] } = await generateLoad({ ...task, seed: 2 });
    return rows(shop, arms);
  },
};
