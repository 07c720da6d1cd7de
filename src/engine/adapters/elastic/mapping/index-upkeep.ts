import type { estypes } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import { type ElasticConnection, errorType, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { removeDocuments, UNHURRIED } from '../../../../storage/elastic/remove-documents';
import type { IndexedDocument } from './product-document';
import { type Location, within } from '../locations/location';

/** Trends copied by one request. */
const AT_ONCE = 1000;
/** How long a removed product is remembered: longer than any write is under way. */
const REMEMBERED = 'now-1d';
/** Milliseconds until an index is looked through for them again. */
const LOOK_MS = 3_600_000;
/** The same where it failed. */
const LOOK_AGAIN_MS = 60_000;
const MOST_INDICES = 10_000;

const own = { term: { part: 0 } };

/** Products that can be found, and the highest version of any. */
export function statusBody(location: Location): estypes.SearchRequest {
  return within(location, {
    index: location.index,
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [own] } },
    aggs: { live: { filter: { exists: { field: 'channel' } } }, version: { max: { field: 'version' } } },
  });
}

/** A page of the products of which popularity may be learned, after product `after`: of those that count as 1 there is none to copy. */
export function trendsBody(location: Location, after: string | null): estypes.SearchRequest {
  return within(location, {
    index: location.index,
    size: AT_ONCE,
    track_total_hits: false,
    query: { bool: { filter: [own, { exists: { field: 'trendLog' } }], must_not: [{ term: { trendLog: 0 } }] } },
    sort: [{ productId: { order: 'asc' } }],
    _source: ['productId'],
    ...(after === null ? {} : { search_after: [after] }),
  });
}

/** Pages of ids of the products of an index of which popularity may be learned. */
export async function* productsWithTrend(connection: ElasticConnection, location: Location): AsyncGenerator<string[]> {
  for (let after: string | null = null; ;) {
    const request = trendsBody(location, after);
    const { hits } = await connection.search<Pick<IndexedDocument, 'productId'>>(request, LONG_TIMEOUT);
    const found = hits.hits.flatMap(({ _source }) => _source?.productId ?? []);
    after = found.at(-1) ?? null;
    if (after === null) return;
    yield found;
  }
}

/** Forgets products that were removed long enough ago: of all stores that share an index at once, and not each time one of them learns. */
export class OldTombstones {
  private readonly looked = new LRUCache<string, true>({ max: MOST_INDICES, ttl: LOOK_MS });

  constructor(private readonly connection: ElasticConnection) {}

  /** Returns at once: nobody waits for it. */
  remove({ index }: Location): void {
    if (this.looked.has(index)) return;
    this.looked.set(index, true);
    const old = { range: { removedAt: { lt: REMEMBERED } } };
    removeDocuments(this.connection, index, old, UNHURRIED).catch(() => {
      this.looked.set(index, true, { ttl: LOOK_AGAIN_MS });
    });
  }
}

/** One by one: where another process deletes one of them at the same time, a request for several would leave the others. */
export async function deleteIndices(connection: ElasticConnection, names: readonly string[]): Promise<void> {
  for (const index of names) {
    try {
      await connection.call((client, options) => client.indices.delete({ index }, options), LONG_TIMEOUT);
    } catch (error) {
      if (errorType(error) !== 'index_not_found_exception') throw error;
    }
  }
}
