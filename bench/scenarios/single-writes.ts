import { Chance } from '../data/chance';
import { generateLoad } from '../load/generate-load';
import type { Question } from '../load/tasks';
import { count, percentiles, row, type Scenario, SMALL } from '../scenario';
import { percentile } from '../statistics';

const MOST_MS = 60;

/** Products that get another price, one after the other: each write is answered once searches see it. */
export const singleWrites: Scenario = {
  name: 'put',
  sizes: [SMALL],
  async run(shop, { quick }) {
    const chance = new Chance(shop.size + 71);
    const { port, headers: keys } = shop.target;
    const headers = { ...keys, 'content-type': 'application/json' };
    const write = (): Question => {
      const number = chance.below(shop.size);
      const sent = shop.catalog.sent(number);
      const body = JSON.stringify({ ...sent, price: Number(sent['price']) + 1 });
      return { port, requests: [{ method: 'PUT', path: `/v7/products/${String(sent['id'])}`, headers, body }] };
    };
    const draw = (writes: number): Question[][] => Array.from({ length: writes }, () => [write()]);
    await generateLoad({ kind: 'rounds', rounds: draw(quick ? 50 : 200), seed: 71 });
    const {
      ways: [latencies = []],
    } = await generateLoad({ kind: 'rounds', rounds: draw(quick ? 200 : 500), seed: 72 });
    const p50 = percentile(latencies, 0.5);
    return [
      row(
        `One product, \`PUT\` until searches see it, p50 / p95 (${count(latencies.length)} writes)`,
        percentiles(latencies, 0.5, 0.95),
        { target: `p50 < ${MOST_MS} ms`, met: p50 < MOST_MS },
      ),
    ];
  },
};
