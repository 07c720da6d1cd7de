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

/** The search that an event names. */
export function namedRequest({ store, searchId }: PossibleOutcome): estypes.SearchSearchRequestBody {
  const query = all({ term: { store } }, { term: { kind: 'search' } }, { term: { id: searchId ?? '' } });
  return { size: 1, track_total_hits: false, query };
}

/** The last click of these shoppers on a product. */
export function lastClickRequest({
  store,
  shoppers,
  product,
  clickedSince,
  at,
}: PossibleOutcome): estypes.SearchSearchRequestBody {
  const query = all(
    { term: { store } },
    { terms: { shopper: [...shoppers] } },
    { term: { product } },
    { term: { isClick: true } },
    { range: { at: { gte: clickedSince, lte: at } } },
  );
  // Of two in one millisecond, the one that was written later.
  return { size: 1, track_total_hits: false, query, sort: [{ at: 'desc' }, { _seq_no: 'desc' }] };
}
