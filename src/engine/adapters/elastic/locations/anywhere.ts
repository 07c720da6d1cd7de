import type { estypes } from '@elastic/elasticsearch';
import { OF_ONE_STORE } from '../../../../storage/elastic/shared-indices';
import { scopeOf } from './location';
import { POOL } from './pool-names';

/**
 * Wherever documents of a store are, without asking for its location: its own index and the pools, and a filter that leaves none of another
 * store. While a store moves, and as long as what it left is kept, a product is there twice, so this is for names and not for counts.
 */
export function anywhere(
  nameOf: (index: string) => string,
  store: string,
): { index: string; filter: NonNullable<estypes.SearchRequest['query']> } {
  const own = { bool: { must_not: { exists: { field: 'scope' } } } };
  return {
    index: `${nameOf(`${OF_ONE_STORE}${store}`)},${nameOf(`${OF_ONE_STORE}${POOL}`)}*`,
    filter: { bool: { should: [{ prefix: { scope: scopeOf(store, '') } }, own] } },
  };
}
