import type { estypes } from '@elastic/elasticsearch';
import { type ElasticConnection, LONG_TIMEOUT } from './elastic-connection';

type Query = NonNullable<estypes.DeleteByQueryRequest['query']>;

/** Documents taken out by one request, so that each ends well before its time is over. */
const AT_ONCE = 10_000;

/** Takes out everything of a store; `index` is a full name, and its documents have the field `store`. Their number. */
export function removeStoreFrom(connection: ElasticConnection, index: string, store: string): Promise<number> {
  return removeMatching(connection, index, { bool: { filter: [{ term: { store } }] } });
}

/** Takes out every document that matches; `index` is a full name. Their number. */
export async function removeMatching(connection: ElasticConnection, index: string, query: Query): Promise<number> {
  await connection.call((client, options) => client.indices.refresh({ index }, options), LONG_TIMEOUT);
  let removed = 0;
  for (;;) {
    const { total = 0, deleted = 0 } = await connection.call(
      (client, options) => client.deleteByQuery(removalRequest(index, query), options),
      LONG_TIMEOUT,
    );
    removed += deleted;
    // One that was written meanwhile is left out of its round, and found by the next.
    if (total === 0) return removed;
  }
}

export function removalRequest(index: string, query: Query): estypes.DeleteByQueryRequest {
  return { index, query, max_docs: AT_ONCE, conflicts: 'proceed', refresh: true };
}
