import type { estypes } from '@elastic/elasticsearch';
import { type ElasticConnection, LONG_TIMEOUT, type Query } from './elastic-connection';

const PAGE = 1000;
/** How long the server keeps what is not yet read, from page to page. */
const KEPT = '5m';

/** All documents a query finds, a page at a time and in no order, as they were when the first was asked for. */
export async function* scroll<T>(connection: ElasticConnection, index: string, query?: Query): AsyncGenerator<T[]> {
  await connection.refresh(index);
  const first = await connection.search<T>(scrollRequest(index, query), LONG_TIMEOUT);
  let scrollId = first._scroll_id;
  try {
    for (let { hits } = first.hits; hits.length > 0;) {
      yield hits.flatMap(({ _source }) => (_source ? [_source] : []));
      const next = await connection.call(
        (client, options) => client.scroll<T>({ scroll_id: scrollId ?? '', scroll: KEPT }, options),
        LONG_TIMEOUT,
      );
      scrollId = next._scroll_id ?? scrollId;
      ({ hits } = next.hits);
    }
  } finally {
    if (scrollId !== undefined) {
      // It ends by itself, too; and where there is no index yet, there is nothing to end, which is answered 404.
      await connection
        .call((client, options) => client.clearScroll({ scroll_id: scrollId ?? '' }, options))
        .catch(() => undefined);
    }
  }
}

/** Part of what there is would be worse than none. */
export function scrollRequest(index: string, query?: Query): estypes.SearchRequest {
  return {
    index,
    scroll: KEPT,
    size: PAGE,
    sort: ['_doc'],
    allow_partial_search_results: false,
    ...(query ? { query } : {}),
  };
}
