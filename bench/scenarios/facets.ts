import { Chance } from '../data/chance';
import { searchQuery } from '../data/queries';
import { generateLoad } from '../load/generate-load';
import type { Question } from '../load/tasks';
import { count, percentiles, row, type Scenario, SMALL } from '../scenario';
import type { BenchShop } from '../shop';
import { percentileRatio } from '../statistics';

const MOST_RATIO = 1.5;
const THREE = ['category', 'brand', 'price'];
const NAMED = ['spec.size', 'spec.colour', 'spec.voltage', 'detail.material', 'detail.origin', 'detail.model'];
const TWELVE = [...THREE, ...NAMED, 'tag', 'availability', 'discount'];
const PRODUCTS_A_REQUEST = 500;

/** A search with twelve kinds of filters beside one with three: two stores with the same products, in pairs. */
export const facets: Scenario = {
  name: 'facets',
  sizes: [SMALL],
  async run(shop, { quick }) {
    const ways = [await storeWith(shop, 'bench3', THREE), await storeWith(shop, 'bench12', TWELVE)];
    const chance = new Chance(shop.size);
    const { port } = shop.target;
    const draw = (pairs: number): Question[][] =>
      Array.from({ length: pairs }, () => {
        const query = searchQuery(shop.catalog.product(chance.below(shop.size)), chance);
        const path = `/searchapi/v3/queries?${query}`;
        return ways.map((headers) => ({ port, requests: [{ method: 'GET', path, headers }] }));
      });
    await generateLoad({ kind: 'rounds', rounds: draw(quick ? 200 : 500), seed: 1 });
    const pairs = draw(quick ? 500 : 3000);
    const {
      ways: [three = [], twelve = []],
    } = await generateLoad({ kind: 'rounds', rounds: pairs, seed: 2 });
    const ratio = percentileRatio(twelve, three, { share: 0.5 });
    const products = `${count(shop.size)} products`;
    return [
      row(`Search ${products}, three kinds of filters, p50 / p95`, percentiles(three, 0.5, 0.95)),
      row(`Search ${products}, twelve kinds of filters, p50 / p95`, percentiles(twelve, 0.5, 0.95)),
      row(
        `Search ${products}, twelve : three kinds of filters at p50`,
        `${ratio.value.toFixed(3)} (95% interval ${ratio.low.toFixed(3)} to ${ratio.high.toFixed(3)})`,
        { target: `<= ${MOST_RATIO}`, met: ratio.value <= MOST_RATIO },
      ),
    ];
  },
};

/** A store of these filters with the shop's products, each with values of all of them. */
async function storeWith(shop: BenchShop, apiKey: string, kinds: readonly string[]): Promise<Record<string, string>> {
  const settings = { facets: kinds.map((attribute) => ({ attribute })) };
  const { secretKey } = await shop.admin('POST', '/admin/stores', { apiKey, name: apiKey, settings });
  const headers = { 'x-api-key': apiKey, 'x-secret-key': String(secretKey) };
  for (let start = 0; start < shop.size; start += PRODUCTS_A_REQUEST) {
    const numbers = Array.from(
      { length: Math.min(PRODUCTS_A_REQUEST, shop.size - start) },
      (_, index) => start + index,
    );
    const reply = await fetch(`http://127.0.0.1:${shop.target.port}/v7/products`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
      body: numbers.map((number) => JSON.stringify(withFacets(shop.catalog.sent(number), number))).join('\n'),
    });
    if (!reply.ok) throw new Error(`POST /v7/products: ${reply.status} ${await reply.text()}`);
  }
  return headers;
}

function withFacets(product: Record<string, unknown>, number: number): Record<string, unknown> {
  const chance = new Chance(number);
  const one = (kind: string, values: number): string => `${kind} ${chance.below(values)}`;
  return {
    ...product,
    specs: { size: [one('size', 12), one('size', 12)], colour: one('colour', 20), voltage: one('voltage', 3) },
    details: { material: one('material', 30), origin: one('origin', 60), model: one('model', 500) },
    tags: [one('tag', 40), one('tag', 40)],
  };
}
