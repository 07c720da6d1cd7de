import type { estypes } from '@elastic/elasticsearch';
import { type ElasticConnection, LONG_TIMEOUT, type Query } from './elastic-connection';

/** Documents taken out by one request, so that each ends well before its time is over. */
const AT_ONCE = 10_000;

/** Of an index that others wait for: a request of `AT_ONCE` documents still ends in a third of its time. */
export const UNHURRIED = { perSecond: 1000 };

/**
 * Takes out everything a query finds; `index` is a full name or a pattern. Answers the number of documents. `perSecond`: documents; absent: as
 * many as it can.
 */
export async function removeDocuments(
  connection: ElasticConnection,
  index: string,
  query: Query,
  { perSecond }: { perSecond?: number } = {},
): Promise<number> {
  const pace = perSecond === undefined ? {} : { requests_per_second: perSecond };
  let removed = 0;
  for (;;) {
    await connection.refresh(index);
    const { total = 0, deleted = 0 } = await connection.call(
      (client, options) => client.deleteByQuery({ ...removalRequest(index, query), ...pace }, options),
      LONG_TIMEOUT,
    );
    removed += deleted;
    // What was written meanwhile is left out of its round, and found by the next.
    if (total === 0) return removed;
  }
}

export function removalRequest(index: string, query: Query): estypes.DeleteByQueryRequest {
  return { index, query, max_docs: AT_ONCE, conflicts: 'proceed', refresh: true };
}

/** Takes out everything of a store; its documents have the field `store`. */
export function removeStoreFrom(connection: ElasticConnection, index: string, store: string): Promise<number> {
  return removeDocuments(connection, index, { bool: { filter: [{ term: { store } }] } });
}
