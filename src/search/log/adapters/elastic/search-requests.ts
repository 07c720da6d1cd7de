import type { estypes } from '@elastic/elasticsearch';
import type { Query } from '../../../../storage/elastic/elastic-connection';
import type { PossibleOutcome } from '../../possible-outcome';
import type { LogQuery, LogRemoval } from '../../search-log';

const all = (...filter: Query[]): Query => ({ bool: { filter } });

/** A page of what a query finds, by time; `after`: the sort values of the last one before. Part of the log would be worse than none. */
export function pageRequest(
  index: string,
  { query, size, after }: { query: Query; size: number; after: estypes.SortResults | undefined },
): estypes.SearchRequest {
  return {
    index,
    size,
    track_total_hits: false,
    query,
    sort: [{ at: 'asc' }, { id: 'asc' }],
    ...(after ? { search_after: after } : {}),
  };
}

export const searchesOf = (store: string, from: number): Query =>
  all({ term: { store } }, { term: { kind: 'search' } }, { range: { at: { gte: from } } });

export function searchesIn({ store, from, to, shopper }: LogQuery): Query {
  const own: Query[] = shopper === undefined ? [] : [{ term: { shopper } }];
  return all({ term: { store } }, { term: { kind: 'search' } }, { range: { at: { gte: from, lt: to } } }, ...own);
}

export const outcomesOf = (store: string, searches: readonly string[]): Query =>
  all({ term: { store } }, { terms: { search: [...searches] } });

/** What leaves the log: searches alone, or everything. */
export function removedBy(removal: LogRemoval, only: 'searches' | 'everything'): Query {
  const { store } = removal;
  const kind: Query[] = only === 'searches' ? [{ term: { kind: 'search' } }] : [];
  const what: Query[] =
    'shoppers' in removal
      ? [{ terms: { shopper: [...removal.shoppers] } }]
      : 'before' in removal
        ? [{ range: { at: { lt: removal.before } } }]
        : [];
  return all({ term: { store } }, ...kind, ...what);
}

/** Searches by their ids. */
export function namedRequest(store: string, ids: readonly string[]): estypes.SearchSearchRequestBody {
  const query = all({ term: { store } }, { term: { kind: 'search' } }, { terms: { id: [...ids] } });
  return { size: ids.length, track_total_hits: false, query };
}

/** Clicks that carts and orders may follow from, the newest first. All are of one store. */
export function clicksRequest(done: readonly PossibleOutcome[], size: number): estypes.SearchSearchRequestBody {
  const shoppers = new Set(done.flatMap((one) => one.shoppers));
  const products = new Set(done.map(({ product }) => product));
  const gte = Math.min(...done.map(({ clickedSince }) => clickedSince));
  const lte = Math.max(...done.map(({ at }) => at));
  const query = all(
    { term: { store: done[0]?.store ?? '' } },
    { terms: { shopper: [...shoppers] } },
    { terms: { product: [...products] } },
    { term: { isClick: true } },
    { range: { at: { gte, lte } } },
  );
  // Of two in one millisecond, the one that was written later.
  return { size, track_total_hits: false, query, sort: [{ at: 'desc' }, { _seq_no: 'desc' }] };
}
