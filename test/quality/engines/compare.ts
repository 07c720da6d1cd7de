import { isDeepStrictEqual } from 'node:util';
import type { EngineResult, SearchEngine } from '../../../src/engine/search-engine';
import type { QueryPlan } from '../../../src/engine/plan/query-plan';
import { type ComparedQuery, type ComparedShopper, queriesOf } from './comparison-shop';
import { type EnginePair, overlap, scoreMass } from './engine-pair';

/** Shoppers who ask each query. */
const SHOPPERS = 5;
const TOP = 10;
/** How far down a product of the other's first ones is looked for. */
const DEEP = 200;

export interface Difference {
  query: string;
  /** Each engine's own: of a misspelt word, the nearest known ones. */
  embedded: string;
  elastic: string;
}

/** What was compared, and where the engines differ. */
export interface Comparison {
  queries: number;
  /** Analysed to different tokens: not compared any further. */
  otherTokens: Difference[];
  otherTotals: Difference[];
  otherFacets: Difference[];
  /** One for each query and shopper; the lower one of both directions. */
  mass: number[];
  overlap: number[];
}

export async function compareEngines(
  pair: EnginePair,
  options: { queries: number; seed: number; progress?: (done: number) => void },
): Promise<Comparison> {
  const found: Comparison = {
    queries: 0,
    otherTokens: [],
    otherTotals: [],
    otherFacets: [],
    mass: [],
    overlap: [],
  };
  const { shoppers } = pair.shop;
  for (const [index, query] of queriesOf(pair.shop, options.queries, options.seed).entries()) {
    const own = Array.from({ length: SHOPPERS }, (_, nth) => shoppers[(index * SHOPPERS + nth) % shoppers.length]);
    await compareQuery(pair, { query, shoppers: own.filter((one) => one !== undefined) }, found);
    options.progress?.(index + 1);
  }
  return found;
}

async function compareQuery(
  pair: EnginePair,
  { query, shoppers }: { query: ComparedQuery; shoppers: readonly ComparedShopper[] },
  found: Comparison,
): Promise<void> {
  const { embedded, elastic } = pair;
  found.queries += 1;
  const [planA, planB] = await Promise.all([embedded, elastic].map((engine) => pair.plan(engine, query, { size: 0 })));
  if (!planA || !planB) return;
  if (!same(planA.match, planB.match)) {
    found.otherTokens.push(differing(query, tokens(planA), tokens(planB)));
    return;
  }
  const plan: QueryPlan = { ...planA, facets: ['brand', 'category', 'price'] };
  const ask = (engine: SearchEngine): Promise<EngineResult> => pair.search(engine, { plan });
  const [first, second] = await Promise.all([ask(embedded), ask(elastic)]);
  if (first.total !== second.total) found.otherTotals.push(differing(query, first.total, second.total));
  if (!same(first.facets, second.facets)) {
    found.otherFacets.push(differing(query, first.facets, second.facets));
  }
  for (const { boosts } of shoppers) {
    const page = { plan: { ...planA, size: DEEP }, boosts };
    const [here, there] = await Promise.all([pair.search(embedded, page), pair.search(elastic, page)]);
    found.mass.push(Math.min(scoreMass(here.hits, there.hits, TOP), scoreMass(there.hits, here.hits, TOP)));
    found.overlap.push(Math.min(overlap(here.hits, there.hits, TOP), overlap(there.hits, here.hits, TOP)));
  }
}

/** As replies are, whichever thread made them: objects of another realm are never strictly equal. */
function same(planA: unknown, planB: unknown): boolean {
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  return isDeepStrictEqual(plain(planA), plain(planB));
}

function differing({ terms, filter }: ComparedQuery, embedded: unknown, elastic: unknown): Difference {
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return { query: `${terms ?? '(browsing)'} [${filter}]`, embedded: text(embedded), elastic: text(elastic) };
}

function tokens({ match }: QueryPlan): string {
  if (match.kind !== 'terms') return match.kind;
  return match.terms.map(({ variants }) => variants.map(({ kind, token }) => `${kind}:${token}`).join('|')).join(' ');
}
