import { limitBrands, LOOKED_THROUGH } from '../ranking/brand-share';
import type { BoostTemplate } from '../ranking/template/template';
import type { QueryPlan } from './plan/query-plan';
import type { EngineHit, EngineResult } from './search-engine';

interface Asked {
  plan: QueryPlan;
  template: BoostTemplate;
}

/** Whether a page depends on the brands of the products around it. */
export function limitsBrands({ plan, template }: Asked): boolean {
  const { maxShare } = template;
  const ranked = plan.sortBy === 'relevance' && plan.match.kind !== 'ids';
  return maxShare !== null && maxShare < 1 && ranked && plan.size > 0 && plan.from < LOOKED_THROUGH;
}

/** The query that an engine asks itself: everything the page depends on. Its hits have brands. */
export function beforeBrandLimit<Q extends Asked>(query: Q): Q {
  if (!limitsBrands(query)) return query;
  const { plan } = query;
  return { ...query, plan: { ...plan, from: 0, size: Math.max(LOOKED_THROUGH, plan.from + plan.size) } };
}

/** The page asked for, of the answer to `beforeBrandLimit`: the same on every engine. */
export function afterBrandLimit<R extends Pick<EngineResult, 'hits'>>({ plan, template }: Asked, result: R): R {
  if (!limitsBrands({ plan, template })) return result;
  const first = result.hits.slice(0, LOOKED_THROUGH);
  // Of partial matches those of more words stand above the others, as tiers do.
  const branded = first.map(({ brand = null, tier, step }) => ({ brand, tier: tier === 'some' ? step : tier }));
  const moved = limitBrands(branded, template.maxShare ?? 1).map((from, to) => movedHit(first[from]!, from, to));
  const hits = [...moved, ...result.hits.slice(LOOKED_THROUGH)].slice(plan.from, plan.from + plan.size);
  return { ...result, hits };
}

/** Ranks begin at 1. It changes no score, so that its factor is 1. */
function movedHit(hit: EngineHit, from: number, to: number): EngineHit {
  const { explanation } = hit;
  if (!explanation || from === to) return hit;
  const moved = { name: 'maxShare', factor: 1, from: from + 1, to: to + 1 };
  return { ...hit, explanation: { ...explanation, boosts: [...explanation.boosts, moved] } };
}
