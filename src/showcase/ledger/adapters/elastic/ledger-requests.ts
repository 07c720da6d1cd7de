import type { estypes } from '@elastic/elasticsearch';
import type { Query } from '../../../../storage/elastic/elastic-connection';
import type { LedgerDays } from '../../click-ledger';
import type { Sale } from '../../orders';
import { VOID } from './interaction-index';
import type { ShowcaseName } from './showcase-index';

/** Rows of the rollups that one request answers. */
export const ROWS = 1000;
const FIELDS = ['day', 'campaign', 'product', 'placement', 'measure'] as const;

/** Interactions of some days. `rolled`: days to leave out, whose rollups are kept already. */
export function interactionsOf({ store, from, to }: LedgerDays, rolled: readonly string[]): Query {
  return {
    bool: {
      filter: [{ term: { store } }, { range: { day: { gte: from, lte: to } } }],
      must_not: [{ term: { measure: VOID } }, { terms: { day: [...rolled] } }],
    },
  };
}

/** Orders counted on some days; `rolled` as above. */
export const ordersOf = (days: LedgerDays, rolled: readonly string[]): Query =>
  namedOf('order', days, [{ terms: { day: [...rolled] } }]);

/** Named documents of some days. */
export function namedOf(kind: ShowcaseName['kind'], { store, from, to }: LedgerDays, not: Query[] = []): Query {
  const filter = [{ term: { store } }, { term: { kind } }, { range: { day: { gte: from, lte: to } } }];
  return { bool: { filter, must_not: not } };
}

export const ofShopper = (store: string, shopper: string): Query => ({
  bool: { filter: [{ term: { store } }, { term: { shopper } }] },
});

/** A page of rollups; `after`: the key of the last row of the page before. Fails where not all interactions can be read. */
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
        aggs: { cost: { sum: { field: 'cost' } }, unrated: { filter: { term: { unrated: true } } } },
      },
    },
  };
}

/** A shopper's valid clicks on products, the newest first. */
export function clicksRequest(
  index: string,
  { store, shoppers, clickedSince }: Pick<Sale, 'store' | 'shoppers' | 'clickedSince'>,
  { products, size }: { products: readonly string[]; size: number },
): estypes.SearchRequest {
  const filter: Query[] = [
    { term: { store } },
    { terms: { product: [...products] } },
    { terms: { shopper: [...shoppers] } },
    { term: { measure: 'click/valid' } },
    { range: { at: { gte: clickedSince } } },
  ];
  return {
    index,
    size,
    track_total_hits: false,
    allow_partial_search_results: false,
    query: { bool: { filter } },
    // Of two in one millisecond, the one that was written later.
    sort: [{ at: 'desc' }, { _seq_no: 'desc' }],
  };
}

/** Accounts with a claim that has been open since `until` or longer. */
export function openAccountsRequest(index: string, until: number): estypes.SearchRequest {
  return {
    index,
    size: 1000,
    track_total_hits: false,
    query: { bool: { filter: [{ term: { kind: 'account' } }, { range: { since: { gt: 0, lte: until } } }] } },
  };
}
