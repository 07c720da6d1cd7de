import type { estypes } from '@elastic/elasticsearch';
import { type ElasticConnection, errorType, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import type { IndexedDocument } from './product-document';
import { type Place, scopeFilters, within } from '../places/place';

/** Trends copied by one request. */
const AT_ONCE = 1000;
/** How long a removed product is remembered: longer than any write is under way. */
const REMEMBERED = 'now-1d';

const own = { term: { part: 0 } };

/** Products that can be found, and the highest version of any. */
export function statusBody(place: Place): estypes.SearchRequest {
  return within(place, {
    index: place.index,
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [own] } },
    aggs: { live: { filter: { exists: { field: 'channel' } } }, version: { max: { field: 'version' } } },
  });
}

/** A page of the products with learned popularity, after product `after`. A popularity of 1 acts as none, and is left out. */
export function trendsBody(place: Place, after: string | null): estypes.SearchRequest {
  return within(place, {
    index: place.index,
    size: AT_ONCE,
    track_total_hits: false,
    query: { bool: { filter: [own, { exists: { field: 'trendLog' } }], must_not: [{ term: { trendLog: 0 } }] } },
    sort: [{ productId: { order: 'asc' } }],
    _source: ['productId', 'trend'],
    ...(after === null ? {} : { search_after: [after] }),
  });
}

/** Hands over the learned popularity of every product of an index. */
export async function copyTrends(
  connection: ElasticConnection,
  place: Place,
  write: (trend: [productId: string, value: number][]) => Promise<void>,
): Promise<void> {
  for (let after: string | null = null; ;) {
    const request = trendsBody(place, after);
    const { hits } = await connection.search<Pick<IndexedDocument, 'productId' | 'trend'>>(request, LONG_TIMEOUT);
    const found = hits.hits.flatMap(({ _source }) => _source ?? []);
    await write(found.flatMap(({ productId, trend }) => (typeof trend === 'number' ? [[productId, trend]] : [])));
    after = found.at(-1)?.productId ?? null;
    if (after === null) return;
  }
}

/** Forgets products that were removed long enough ago. */
export async function removeOldTombstones(connection: ElasticConnection, place: Place): Promise<void> {
  const filter = [{ range: { removedAt: { lt: REMEMBERED } } }, ...scopeFilters(place)];
  const old = { index: place.index, query: { bool: { filter } }, conflicts: 'proceed' as const };
  await connection.call((client, options) => client.deleteByQuery(old, options), LONG_TIMEOUT);
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
