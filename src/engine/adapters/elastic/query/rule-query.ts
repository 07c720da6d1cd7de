import type { PlanRules } from '../../../plan/plan-rules';
import type { QueryPlan } from '../../../plan/query-plan';
import { functionScore, type Query } from './function-score';

/** The products that rules pin; null: none. */
export function pinnedOf({ rules }: Pick<QueryPlan, 'rules'>): Query | null {
  const pins = rules?.pins ?? [];
  return pins.length === 0 ? null : { terms: { productId: pins.map(({ product }) => product) } };
}

/** What is found, and what is pinned, whose score is that of the words it has: `any` finds what has one of them. */
export function withPinned(plan: Pick<QueryPlan, 'rules'>, query: Query, any: Query): Query {
  const pins = pinnedOf(plan);
  if (!pins) return query;
  const unmatched = { constant_score: { filter: pins, boost: 0 } };
  return { dis_max: { queries: [query, { bool: { must: [any], filter: [pins] } }, unmatched] } };
}

/** A query's score times what rules make of a product. */
export function withRules(query: Query, rules: PlanRules | undefined): Query {
  const byFactor = new Map<number, string[]>();
  for (const { product, factor } of rules?.factors ?? []) {
    byFactor.set(factor, [...(byFactor.get(factor) ?? []), product]);
  }
  if (byFactor.size === 0) return query;
  const functions = Array.from(byFactor, ([weight, products]) => ({
    filter: { terms: { productId: products } },
    weight,
  }));
  return functionScore(query, functions, { mode: 'multiply' });
}
