import type { estypes } from '@elastic/elasticsearch';
import { type ElasticConnection, LONG_TIMEOUT, type Query } from './elastic-connection';

/** Stores of one page. */
const PAGE = 1000;

interface Answer {
  stores: {
    buckets: { key: { store: string }; newest?: { value: number | null } }[];
    after_key?: estypes.AggregationsCompositeAggregateKey;
  };
}

/**
 * The stores that have documents which a query finds, and the highest value of a field in them (0 where none is named): asked of all stores at once,
 * since one request for each would be too many.
 */
export async function storesWith(
  connection: ElasticConnection,
  index: string,
  { query, highest }: { query: Query; highest?: string },
): Promise<Map<string, number>> {
  await connection.refresh(index, LONG_TIMEOUT);
  const stores = new Map<string, number>();
  for (let request = storesRequest(index, { query, highest }); ;) {
    const { aggregations } = await connection.search<never, Answer>(request, LONG_TIMEOUT);
    const { buckets = [], after_key: after } = aggregations?.stores ?? {};
    for (const { key, newest } of buckets) stores.set(key.store, newest?.value ?? 0);
    if (!after || buckets.length < PAGE) return stores;
    request = storesRequest(index, { query, highest, after });
  }
}

export function storesRequest(
  index: string,
  {
    query,
    highest,
    after,
  }: { query: Query; highest?: string | undefined; after?: estypes.AggregationsCompositeAggregateKey },
): estypes.SearchRequest {
  const composite = { size: PAGE, sources: [{ store: { terms: { field: 'store' } } }], ...(after ? { after } : {}) };
  const newest = highest === undefined ? {} : { aggs: { newest: { max: { field: highest } } } };
  return { index, size: 0, track_total_hits: false, query, aggs: { stores: { composite, ...newest } } };
}
