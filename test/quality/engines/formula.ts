import type { estypes } from '@elastic/elasticsearch';
import { Chance } from '../../../bench/data/chance';
import { ElasticSearchEngine } from '../../../src/engine/adapters/elastic/elastic-search-engine';
import { partId } from '../../../src/engine/adapters/elastic/mapping/product-document';
import { levelOf } from '../../../src/engine/adapters/elastic/query/levels';
import { hitsQuery } from '../../../src/engine/adapters/elastic/query/search-bodies';
import { IndexVersions } from '../../../src/engine/adapters/elastic/mapping/index-versions';
import { ownLocation } from '../../../src/engine/adapters/elastic/locations/location';
import { IndexNumbers } from '../../../src/engine/adapters/elastic/mapping/text-numbers';
import { queryTokens } from '../../../src/engine/adapters/elastic/query/text-query';
import type { QueryPlan } from '../../../src/engine/plan/query-plan';
import type { Boosts } from '../../../src/ranking/affinity';
import { defaultTemplate } from '../../../src/ranking/template/template';
import { SystemClock } from '../../../src/shared/clock';
import { LONG_TIMEOUT } from '../../../src/storage/elastic/elastic-connection';
import { queriesOf } from './comparison-shop';
import type { EnginePair } from './engine-pair';

const DEEPEST = 200;

/** One product found by one query of one shopper. */
export interface FormulaCheck {
  productId: string;
  /** Text times every factor of our explanation. */
  explained: number;
  /** What the search answered. */
  score: number;
  /** The same of Elasticsearch's own explanation, its scale taken out. */
  elastic: { score: number; text: number; personal: number };
  text: number;
  personal: number;
}

/** Random hits, explained by us and by Elasticsearch. */
export async function checkFormula(
  pair: EnginePair,
  options: { checks: number; seed: number },
): Promise<FormulaCheck[]> {
  const chance = new Chance(options.seed);
  // Of kept hits the personal factor is none of Elasticsearch's.
  const engine = new ElasticSearchEngine(pair.connection, new SystemClock(), { keptBytes: 0 });
  const checks: FormulaCheck[] = [];
  const numbers = new IndexNumbers(pair.connection, new IndexVersions(pair.connection, 'formula'));
  for (const query of queriesOf(pair.shop, options.checks * 5, options.seed)) {
    if (checks.length === options.checks) break;
    const { boosts } = chance.of(pair.shop.shoppers);
    const plan = await pair.plan(pair.elastic, query, { size: 1 });
    const { total } = await pair.search(pair.elastic, { plan: { ...plan, size: 0 } });
    if (total === 0) continue;
    const from = chance.below(Math.min(total, DEEPEST));
    const { hits } = await pair.search(engine, { plan: { ...plan, from }, boosts, explain: true });
    const [hit] = hits;
    if (!hit?.explanation) continue;
    const { text, boosts: factors } = hit.explanation;
    checks.push({
      productId: hit.productId,
      explained: factors.reduce((all, { factor }) => all * factor, text),
      score: hit.score,
      text,
      personal: factors.at(-1)?.factor ?? 1,
      elastic: await explainedByElastic(pair, { plan, boosts, numbers, productId: hit.productId }),
    });
  }
  return checks;
}

interface Asked {
  plan: QueryPlan;
  boosts: Boosts;
  numbers: IndexNumbers;
  productId: string;
}

async function explainedByElastic(
  { connection }: EnginePair,
  { plan, boosts, numbers: index, productId }: Asked,
): Promise<FormulaCheck['elastic']> {
  const location = ownLocation(connection.index(`products-${plan.store}`));
  const numbers = await index.textNumbers({ store: plan.store, location }, queryTokens(plan));
  for (const level of ['all', 'some', 'any'] as const) {
    const least = levelOf(plan, level);
    const { query, scale, all } = hitsQuery({ plan, template: defaultTemplate, boosts, numbers, least });
    const request = { index: location.index, id: partId(productId), query };
    const { explanation, matched } = await connection.call(
      (client, options) => client.explain(request, options),
      LONG_TIMEOUT,
    );
    if (!matched || !explanation) continue;
    const { factors, text } = factorsOf(explanation);
    const step = Math.min(Math.floor(explanation.value), all + 1);
    return { score: (explanation.value - step) / scale, text: text / scale, personal: factors[0] ?? 1 };
  }
  throw new Error(`Elasticsearch does not find ${productId} by its own query`);
}

type Detail = Pick<estypes.ExplainExplanationDetail, 'description' | 'value'> & { details?: Detail[] };

/** Nested function scores, the outermost first, down to the query they all multiply. */
function factorsOf(explanation: Detail): { factors: number[]; text: number } {
  const outermost = find(explanation);
  const factors: number[] = [];
  let inner = outermost;
  while (inner && isProduct(inner)) {
    const [query, factor]: (Detail | undefined)[] = inner.details ?? [];
    factors.push(factor?.value ?? 1);
    inner = query;
  }
  return { factors, text: inner?.value ?? Number.NaN };
}

const isProduct = ({ description }: Detail): boolean => description.startsWith('function score, product of');

function find(explanation: Detail): Detail | undefined {
  if (isProduct(explanation)) return explanation;
  for (const detail of explanation.details ?? []) {
    const found = find(detail);
    if (found) return found;
  }
  return undefined;
}
