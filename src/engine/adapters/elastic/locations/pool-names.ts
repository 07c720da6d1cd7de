import { indexDefinition, type IndexDefinition } from '../../../../storage/elastic/index-definition';
import { numbered } from '../mapping/store-indices';

/** So many stores come into a pool, one after another; those that grow leave it. */
export const STORES_OF_A_POOL = 1000;
/** Begins the name of every pool; ids of stores have no dot. */
export const POOL = 'pool.';

/** `elastic/products.json` with what `elastic/pool.json` adds. */
export function poolDefinition(): IndexDefinition {
  const { settings, mappings } = indexDefinition('products');
  const { mappings: added } = indexDefinition('pool');
  return { settings, mappings: { ...mappings, properties: { ...mappings.properties, ...added.properties } } };
}

/** The pool for the store that comes as the `count`th. A pool's documents are all of one schema, so that one of a later version has its own. */
export const poolOf = (schema: number, count: number): string =>
  `${POOL}${schema}.${numbered(Math.ceil(count / STORES_OF_A_POOL))}`;

export const schemaOf = (pool: string): number => Number(pool.slice(POOL.length).split('.')[0]);

/** How many stores have to come until the next pool begins. */
export const leftInPool = (count: number): number => Math.ceil(count / STORES_OF_A_POOL) * STORES_OF_A_POOL - count;
