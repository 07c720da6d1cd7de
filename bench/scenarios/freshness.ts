import { Chance } from '../data/chance';
import { generateLoad } from '../load/generate-load';
import type { LoadResult, Trial } from '../load/tasks';
import { count, percentiles, row, type Row, type Scenario, SMALL } from '../scenario';
import type { BenchShop } from '../shop';
import { percentile } from '../statistics';

const EVENTS_A_SECOND = 200;
const MOST_MS = 100;

/** A view makes the viewed product's score a tenth higher at the least, so one this close below another overtakes it. */
const CLOSE = 0.95;

interface Page {
  products: { id: string; explanation: { score: number } }[];
}

/** A product of the first page that a single view has to move up; undefined: all stand too far apart. */
function closeBelow({ products }: Page): string | undefined {
  const found = products.find(({ explanation: { score } }, place) => {
    const above = products[place - 1]?.explanation.score;
    return above !== undefined && score < above && score > above * CLOSE;
  });
  return found?.id;
}

/** A shopper nothing is known of looks at a product that stands close below another one. */
async function drawTrials(shop: BenchShop, wanted: number, seed: number): Promise<Trial[]> {
  const chance = new Chance(seed);
  const trials: Trial[] = [];
  const base = `http://127.0.0.1:${shop.target.port}`;
  for (let tries = 0; trials.length < wanted && tries < wanted * 5; tries++) {
    const terms = shop.catalog.product(chance.below(shop.size)).nameWords[0] ?? '';
    const userId = `fresh-${seed}-${tries}`;
    const search = `/searchapi/v3/queries?terms=${terms}&userId=${userId}`;
    const reply = await fetch(`${base}${search}&explain=true`, { headers: shop.target.headers });
    const pid = closeBelow((await reply.json()) as Page);
    if (pid === undefined) continue;
    const body = JSON.stringify({ ...shop.keys, userId, pid, eventId: `${userId}-view` });
    trials.push({ search, event: { method: 'POST', path: '/v7/events/views/product', body } });
  }
  return trials;
}

function rows(when: string, { latencies, others, late }: LoadResult): Row[] {
  return [
    row(
      `Event to changed ranking, ${when}, p50 / p99`,
      `${percentiles(latencies, 0.5, 0.99)} (of which the event ${percentiles(others, 0.5, 0.99)}; ${count(latencies.length)} trials, ${late} unchanged)`,
      { target: `the next search, p99 < ${MOST_MS} ms`, met: late === 0 && percentile(latencies, 0.99) < MOST_MS },
    ),
  ];
}

/** From sending an event to having the reply of a search whose order has changed. */
export const freshness: Scenario = {
  name: 'freshness',
  sizes: [SMALL],
  async run(shop, { quick, engine }) {
    const { target } = shop;
    const trials = quick ? 100 : 500;
    const resting = await generateLoad({ kind: 'freshness', target, trials: await drawTrials(shop, trials, 21) });
    const busy = await drawTrials(shop, trials, 22);
    const [load, underLoad] = await Promise.all([
      generateLoad({
        kind: 'pace',
        target: { port: target.port, headers: {} },
        requests: { kind: 'views', products: shop.size, users: 5000, keys: shop.keys, seed: 23 },
        connections: 32,
        perSecond: EVENTS_A_SECOND,
        // Longer than the trials take.
        ms: (quick ? 12_000 : 40_000) * (engine === 'embedded' ? 1 : 2.5),
      }),
      generateLoad({ kind: 'freshness', target, trials: busy }),
    ]);
    if (load.seconds < underLoad.seconds) throw new Error('The load ended before the trials did');
    const size = `${count(shop.size)} products`;
    return [...rows(`${size}, at rest`, resting), ...rows(`${size}, under ${EVENTS_A_SECOND} events/s`, underLoad)];
  },
};
