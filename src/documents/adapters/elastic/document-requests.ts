import type { estypes } from '@elastic/elasticsearch';
import { digestOf } from '../../../shared/digest';
import type { Document, DocumentKey } from '../../documents';

/** A document as stored. The body is JSON text: no depth, key or number of it means anything to the server. */
export interface StoredDocument extends DocumentKey {
  version: number;
  body: string;
}

export interface StoredCounter {
  store: string;
  counter: string;
  value: number;
}

/** Documents and counters. */
export const INDEX = 'documents';
/** Documents of one page of a list. */
export const PAGE = 500;

/** Keys are up to 256 characters of any script in each part; ids of the server end at 512 bytes. */
export function documentId({ kind, store, id }: DocumentKey): string {
  return digestOf('document', kind, store, id);
}

export function counterId({ kind, store, id }: DocumentKey): string {
  return digestOf('counter', kind, store, id);
}

/** A page of a list, in id order; `after` is the sort of the last hit before it. */
export function listRequest(
  index: string,
  { kind, store }: { kind: string; store?: string },
  after?: estypes.SortResults,
): estypes.SearchRequest {
  const filter: estypes.QueryDslQueryContainer[] = [{ term: { kind } }];
  if (store !== undefined) filter.push({ term: { store } });
  return {
    index,
    size: PAGE,
    track_total_hits: false,
    query: { bool: { filter } },
    sort: [{ id: 'asc' }, { store: 'asc' }],
    ...(after ? { search_after: after } : {}),
  };
}

export function toDocument<T>({ kind, store, id, version, body }: StoredDocument): Document<T> {
  return { kind, store, id, version, body: JSON.parse(body) as T };
}
