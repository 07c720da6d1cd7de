import { createHash } from 'node:crypto';
import type { estypes } from '@elastic/elasticsearch';
import { facets, type StoredKind, storedKinds } from '../../../../engine/facets';
import type { BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import type { Query } from '../../../../storage/elastic/elastic-connection';
import type { Found } from '../../../../storage/elastic/read-batcher';
import {
  type Contribution,
  namesOf,
  pack,
  shownUntil,
  unpack,
  withContributions,
  withoutShoppers,
} from '../../contributions';
import { KEPT_TERMS, MOST_NAMES, MOST_READ, MOST_TERMS, type TermCount } from '../../query-terms';

/** A term of a store as it is kept. Those of before contributions were kept have none. */
export interface StoredTerm {
  store: string;
  term: string;
  searches: number;
  size: number;
  /** When it was searched last, epoch ms; `searchedAt` says the same to queries. */
  last: number;
  searchedAt?: number;
  /** Contributions, packed. */
  by?: string;
  /** The names in them, by which they are found. */
  shoppers?: string[];
  /** Epoch ms. */
  shownUntil?: number;
}

/** Who was forgotten of late, so that what a replica writes late is found and removed: `[name, epoch ms][]` as JSON. */
export interface StoredForgotten {
  forgotten: string;
}

/** Terms taken out by one request. */
const MOST_CUT = 5000;
/** Longer than any replica holds what it has counted. */
const REMEMBERED_MS = 600_000;
const MOST_REMEMBERED = 10_000;

const hashOf = (parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

export const termId = (store: string, term: string): string => hashOf(['term', store, term]);
/** The id of what remains of a removed store, so that a replica that hears of the removal late writes nothing more. */
export const removedId = (store: string): string => hashOf(['removed', store]);
export const forgottenId = (store: string): string => hashOf(['forgotten', store]);

/** Adds searches to a stored term. Refused where the term has changed since it was read. */
export function countOperation(
  index: string,
  store: string,
  { term, searches, size, by }: TermCount,
  { found, now }: { found: Found<StoredTerm> | null; now: number },
): BulkOperation {
  const contributions = withContributions(unpack(found?.source.by ?? '[]'), by, now);
  const counted = { store, term, searches: (found?.source.searches ?? 0) + searches, size, last: now };
  const operation = { index, id: termId(store, term), document: documentOf(counted, contributions) };
  return found ? { type: 'index', ...operation, expected: stateOf(found) } : { type: 'create', ...operation };
}

/** Takes shoppers out of a stored term, and the term out where nobody is left. Null where they are not in it. */
export function forgetOperation(
  index: string,
  { source, ...found }: Found<StoredTerm>,
  shoppers: ReadonlySet<string>,
): BulkOperation | null {
  const before = unpack(source.by ?? '[]');
  const contributions = withoutShoppers(before, shoppers);
  if (contributions.length === before.length) return null;
  const { store, term, searches, size, last } = source;
  const operation = { index, id: termId(store, term), expected: stateOf(found) };
  if (contributions.length === 0) return { type: 'delete', ...operation };
  return { type: 'index', ...operation, document: documentOf({ store, term, searches, size, last }, contributions) };
}

type Counted = Pick<StoredTerm, 'store' | 'term' | 'searches' | 'size' | 'last'>;

function documentOf(counted: Counted, contributions: readonly Contribution[]): string {
  return JSON.stringify({
    ...counted,
    searchedAt: counted.last,
    by: pack(contributions),
    shoppers: namesOf(contributions),
    shownUntil: shownUntil(contributions),
  } satisfies StoredTerm);
}

const stateOf = ({ seqNo, primaryTerm }: Pick<Found<unknown>, 'seqNo' | 'primaryTerm'>) => ({ seqNo, primaryTerm });

export function removedOperation(index: string, store: string): BulkOperation {
  return { type: 'index', index, id: removedId(store), document: JSON.stringify({ removed: true }) };
}

/** Adds names to those that were forgotten of late. */
export function forgottenOperation(
  index: string,
  store: string,
  shoppers: readonly string[],
  { found, now }: { found: Found<StoredForgotten> | null; now: number },
): BulkOperation {
  const known = namesForgotten(found).filter(([, at]) => at > now - REMEMBERED_MS);
  const names = [...known, ...shoppers.map((name): [string, number] => [name, now])].slice(-MOST_REMEMBERED);
  const document = JSON.stringify({ forgotten: JSON.stringify(names) } satisfies StoredForgotten);
  const operation = { index, id: forgottenId(store), document };
  return found ? { type: 'index', ...operation, expected: stateOf(found) } : { type: 'create', ...operation };
}

/** With the time each was forgotten at, epoch ms. */
export function namesForgotten(found: Found<StoredForgotten> | null): [string, number][] {
  return JSON.parse(found?.source.forgotten ?? '[]') as [string, number][];
}

/** The most searched terms of a store that others may see. */
export function searchedRequest(index: string, store: string, now: number): estypes.SearchRequest {
  return {
    index,
    size: MOST_READ,
    track_total_hits: false,
    query: { bool: { filter: [{ term: { store } }, { range: { shownUntil: { gt: now } } }] } },
    sort: [{ searches: 'desc' }, { term: 'asc' }],
    _source: ['term', 'size'],
  };
}

/** Terms that these shoppers are kept in. */
export function ofShoppers(store: string, shoppers: string[]): Query {
  return { bool: { filter: [{ term: { store } }, { terms: { shoppers } }] } };
}

/** Terms that nobody searched since then (epoch ms), and those of which nothing says who did. */
export function unsearched(since: number): Query {
  const untold = { bool: { must_not: [{ exists: { field: 'searchedAt' } }] } };
  return {
    bool: {
      filter: [
        { exists: { field: 'term' } },
        { bool: { should: [{ range: { searchedAt: { lte: since } } }, untold] } },
      ],
    },
  };
}

/** How many terms a store has, and those that are missed least. */
export function rarestRequest(index: string, store: string): estypes.SearchRequest {
  return {
    index,
    size: MOST_CUT,
    track_total_hits: true,
    query: { bool: { filter: [{ term: { store } }] } },
    sort: [{ shownUntil: { order: 'asc', missing: '_first' } }, { searches: 'asc' }, { last: 'asc' }],
    _source: false,
  };
}

/** How many of the least searched leave. */
export function surplus(terms: number): number {
  return terms > MOST_TERMS ? Math.min(MOST_CUT, terms - KEPT_TERMS) : 0;
}

/** Sales channels of a name; in others it is looked for. */
const MOST_CHANNELS = 10;

/** Their values are names that shoppers type. */
export const typedKinds = storedKinds.filter((kind) => facets[kind].typed);

/** The most frequent of those names in an index of products, and in which sales channels there are products of each. */
export function namesRequest(index: string): estypes.SearchRequest {
  const everywhereItSays = { bool: { must_not: [{ exists: { field: 'excludedChannels' } }] } };
  const channels = { terms: { field: 'channel', size: MOST_CHANNELS } };
  const entries = (kind: StoredKind) => ({
    terms: { field: facets[kind].fields.entry, size: MOST_NAMES },
    aggs: { shown: { filter: everywhereItSays, aggs: { channels } } },
  });
  return {
    index,
    ignore_unavailable: true,
    size: 0,
    track_total_hits: false,
    aggs: Object.fromEntries(typedKinds.map((kind) => [kind, entries(kind)])),
  };
}
