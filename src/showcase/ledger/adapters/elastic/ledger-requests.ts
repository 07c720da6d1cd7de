import type { estypes } from '@elastic/elasticsearch';
import { VOID } from './interaction-index';

type Query = NonNullable<estypes.SearchRequest['query']>;

/** Rows of the rollups that one request answers. */
export const ROWS = 1000;
const FIELDS = ['day', 'campaign', 'product', 'placement', 'measure'] as const;

export interface Days {
  store: string;
  from: string;
  to: string;
}

/** Interactions of some days, but of those whose rollups are kept already. */
export function interactionsOf({ store, from, to }: Days, rolled: readonly string[]): Query {
  return {
    bool: {
      filter: [{ term: { store } }, { range: { day: { gte: from, lte: to } } }],
      must_not: [{ term: { measure: VOID } }, ...(rolled.length > 0 ? [{ terms: { day: [...rolled] } }] : [])],
    },
  };
}

/** A page of rollups; `after`: the key of the last row before it. Rollups of a part of the interactions would be worse than none. */
export function rollupsRequest(index: string, query: Query, after?: Record<string, string>): estypes.SearchRequest {
  return {
    index,
    size: 0,
    track_total_hits: false,
    allow_partial_search_results: false,
    query,
    aggs: {
      rows: {
        composite: {
          size: ROWS,
          sources: FIELDS.map((field) => ({ [field]: { terms: { field } } })),
          ...(after ? { after } : {}),
        },
        aggs: { cost: { sum: { field: 'cost' } } },
      },
    },
  };
}

/** A shopper's last valid click on a product. */
export function lastClickRequest(
  index: string,
  { store, product, shoppers, since }: { store: string; product: string; shoppers: readonly string[]; since: number },
): estypes.SearchRequest {
  return {
    index,
    size: 1,
    track_total_hits: false,
    allow_partial_search_results: false,
    query: {
      bool: {
        filter: [
          { term: { store } },
          { term: { product } },
          { terms: { shopper: [...shoppers] } },
          { term: { measure: 'click/valid' } },
          { range: { at: { gte: since } } },
        ],
      },
    },
    sort: [{ at: 'desc' }],
  };
}

/** Accounts with claims that are open since long. */
export function openAccountsRequest(index: string, until: number): estypes.SearchRequest {
  return {
    index,
    size: 1000,
    track_total_hits: false,
    query: { bool: { filter: [{ term: { kind: 'account' } }, { range: { since: { gt: 0, lte: until } } }] } },
  };
}

/** Orders counted on some days; `rolled`: those whose rollups are kept already. */
export function ordersOf({ store, from, to }: Days, rolled: readonly string[]): Query {
  return {
    bool: {
      filter: [{ term: { store } }, { term: { kind: 'order' } }, { range: { day: { gte: from, lte: to } } }],
      ...(rolled.length > 0 ? { must_not: [{ terms: { day: [...rolled] } }] } : {}),
    },
  };
}

export function rolledOf({ store, from, to }: Days): Query {
  return {
    bool: { filter: [{ term: { store } }, { term: { kind: 'rolled' } }, { range: { day: { gte: from, lte: to } } }] },
  };
}

export function ofShopper(store: string, shopper: string): Query {
  return { bool: { filter: [{ term: { store } }, { term: { shopper } }] } };
}
