import type { estypes } from '@elastic/elasticsearch';
import type { ShopperKey } from '../../../shoppers/shopper';

export type Query = NonNullable<estypes.SearchRequest['query']>;

/** Events of one page of what is read in order. */
export const PAGE = 500;
const MOST_DEVICES = 10_000;

export const all = (...filter: Query[]): Query => ({ bool: { filter } });
export const ofStore = (store: string): Query => ({ term: { store } });

/** A page of events after a sequence number, in order, with the state of each. Part of the log would be worse than none. */
export function pageRequest(
  index: string,
  { filter, after, size }: { filter: Query[]; after: number; size: number },
): estypes.SearchRequest {
  return {
    index,
    size,
    track_total_hits: false,
    allow_partial_search_results: false,
    seq_no_primary_term: true,
    query: all(...filter, { range: { seq: { gt: after } } }),
    sort: [{ seq: 'asc' }],
  };
}

export function ofShoppers(store: string, shoppers: ShopperKey[], counted = false): Query[] {
  const filter = [ofStore(store), { terms: { shopper: shoppers } }];
  return counted ? [...filter, { term: { counted: true } }] : filter;
}

export function ofAll(store: string, counted = false): Query[] {
  return counted ? [ofStore(store), { term: { counted: true } }] : [ofStore(store)];
}

/** Events that wait for any of these products. */
export function waitingFor(store: string, products: string[]): Query[] {
  return [ofStore(store), { terms: { waiting: products } }];
}

/** Devices that sent events together with the user, and when. A crawler's word for who it is counts for nothing. */
export function devicesRequest(index: string, store: string, userId: string): estypes.SearchRequest {
  return {
    index,
    size: 0,
    track_total_hits: false,
    allow_partial_search_results: false,
    query: {
      bool: { filter: [ofStore(store), { term: { user: userId } }], must_not: [{ term: { verdict: 'bot' } }] },
    },
    aggs: {
      devices: {
        terms: { field: 'device', size: MOST_DEVICES, order: { first: 'asc' } },
        aggs: { first: { min: { field: 'received' } }, last: { max: { field: 'received' } } },
      },
    },
  };
}

/** A page of shoppers with events, in key order. */
export function shoppersRequest(
  index: string,
  { store, after, limit }: { store: string; after?: string; limit: number },
): estypes.SearchRequest {
  return {
    index,
    size: 0,
    track_total_hits: false,
    allow_partial_search_results: false,
    query: all(ofStore(store)),
    aggs: {
      shoppers: {
        composite: {
          size: limit,
          sources: [{ shopper: { terms: { field: 'shopper' } } }],
          ...(after === undefined ? {} : { after: { shopper: after } }),
        },
      },
    },
  };
}

/** Events from before a time, without those that a shopper's vector still lacks. */
export function expired(store: string, before: number, lacking: ShopperKey[]): Query {
  const old = all(ofStore(store), { range: { at: { lt: before } } });
  if (lacking.length === 0) return old;
  return { bool: { filter: [old], must_not: [all({ term: { counted: true } }, { terms: { shopper: lacking } })] } };
}

/** When the first of a store's events was received. */
export function oldestRequest(index: string, store: string): estypes.SearchRequest {
  return {
    index,
    size: 0,
    track_total_hits: false,
    allow_partial_search_results: false,
    query: all(ofStore(store)),
    aggs: { oldest: { min: { field: 'received' } } },
  };
}

export function allBut(query: Query): Query {
  return { bool: { must_not: [query] } };
}

/** Of whatever store. */
export function oldErasures(before: number): Query {
  return all({ term: { kind: 'erased' } }, { range: { at: { lte: before } } });
}
