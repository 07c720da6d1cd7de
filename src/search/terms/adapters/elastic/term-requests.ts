import { createHash } from 'node:crypto';
import type { estypes } from '@elastic/elasticsearch';
import { facets, type ValueKind, valueKinds } from '../../../../engine/facets';
import type { BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import type { Found } from '../../../../storage/elastic/read-batcher';
import { KEPT_TERMS, MOST_NAMES, MOST_READ, MOST_TERMS, type TermCount } from '../../query-terms';

/** A term of a store as it is kept. `last`: when it was searched last, epoch ms. */
export interface StoredTerm {
  store: string;
  term: string;
  searches: number;
  size: number;
  last: number;
}

/** Terms taken out by one request. */
const MOST_CUT = 5000;

const hashOf = (parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

export const termId = (store: string, term: string): string => hashOf(['term', store, term]);
/** The id of what remains of a removed store, so that a replica that hears of the removal late writes nothing more. */
export const removedId = (store: string): string => hashOf(['removed', store]);

/** Adds searches to a stored term. Refused where the term has changed since it was read. */
export function countOperation(
  index: string,
  store: string,
  { term, searches, size }: TermCount,
  found: Found<StoredTerm> | null,
  now: number,
): BulkOperation {
  const stored: StoredTerm = { store, term, searches: (found?.source.searches ?? 0) + searches, size, last: now };
  const operation = { index, id: termId(store, term), document: JSON.stringify(stored) };
  if (!found) return { type: 'create', ...operation };
  return { type: 'index', ...operation, expected: { seqNo: found.seqNo, primaryTerm: found.primaryTerm } };
}

export function removedOperation(index: string, store: string): BulkOperation {
  return { type: 'index', index, id: removedId(store), document: JSON.stringify({ removed: true }) };
}

/** The most searched terms of a store. */
export function searchedRequest(index: string, store: string): estypes.SearchRequest {
  return {
    index,
    size: MOST_READ,
    track_total_hits: false,
    query: { bool: { filter: [{ term: { store } }] } },
    sort: [{ searches: 'desc' }, { term: 'asc' }],
    _source: ['term', 'size'],
  };
}

/** How many terms a store has, and the least searched of them. */
export function rarestRequest(index: string, store: string): estypes.SearchRequest {
  return {
    index,
    size: MOST_CUT,
    track_total_hits: true,
    query: { bool: { filter: [{ term: { store } }] } },
    sort: [{ searches: 'asc' }, { last: 'asc' }],
    _source: false,
  };
}

/** How many of the least searched leave. */
export function surplus(terms: number): number {
  return terms > MOST_TERMS ? Math.min(MOST_CUT, terms - KEPT_TERMS) : 0;
}

/** The most frequent values of each facet in an index of products. */
export function namesRequest(index: string): estypes.SearchRequest {
  const entries = (kind: ValueKind) => ({ terms: { field: facets[kind].fields.entry, size: MOST_NAMES } });
  return {
    index,
    ignore_unavailable: true,
    size: 0,
    track_total_hits: false,
    aggs: Object.fromEntries(valueKinds.map((kind) => [kind, entries(kind)])),
  };
}
