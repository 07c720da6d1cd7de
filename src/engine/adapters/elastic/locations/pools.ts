import { retryOnConflict } from '../../../../shared/async/retry';
import { type ElasticConnection, errorType, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { removeDocuments, UNHURRIED } from '../../../../storage/elastic/remove-documents';
import { OF_ONE_STORE } from '../../../../storage/elastic/shared-indices';
import type { ProductIndices } from '../mapping/product-indices';
import type { Location } from './location';
import type { Locations } from './location-directory';
import type { PooledLocation } from './location-record';
import { leftInPool, POOL, poolOf, schemaOf } from './pool-names';

/** How long a pool may take to be made, from the note of it until it serves. */
const BEING_MADE = { forMs: 3000, pauseMs: 200, steady: true };

class PoolGone extends Error {
  override readonly name = 'PoolGone';
}

/** Stores that are named as large at a time. */
const MOST_LARGE = 1000;

/** The indices that stores share, each by the name of its pool, and the scopes of stores in them. */
export class Pools {
  constructor(
    private readonly connection: ElasticConnection,
    private readonly indices: ProductIndices,
    private readonly directory: Locations,
  ) {}

  locationOf({ pool, scope }: PooledLocation): Location {
    return { index: this.indices.serving(pool), scope };
  }

  /** A pool of which nothing was written yet is there as soon as somebody does. */
  async state(pool: string): Promise<'gone' | 'outdated' | 'current'> {
    const state = await this.indices.state(pool);
    return state === 'new' ? 'current' : state;
  }

  /** Whether it can be gone back to. */
  async isKept(pool: string): Promise<boolean> {
    return schemaOf(pool) >= this.indices.schema && (await this.state(pool)) !== 'gone';
  }

  assertThere(pool: string): Promise<void> {
    return this.indices.assertNeverMade(pool);
  }

  /** The pool that takes a store next: the one it is in, unless that is gone or of an earlier version. */
  async next(current: string | null): Promise<string> {
    if (current !== null && schemaOf(current) === this.indices.schema && (await this.isUsable(current))) return current;
    for (;;) {
      const count = await this.directory.countLocations(1);
      const pool = poolOf(this.indices.schema, count);
      if (await this.isUsable(pool)) return pool;
      await this.directory.countLocations(leftInPool(count));
    }
  }

  /** One that another process is just making looks for a moment as if it were gone: it is remembered before it serves. */
  private async isUsable(pool: string): Promise<boolean> {
    const look = async (): Promise<true | null> => ((await this.state(pool)) === 'gone' ? null : true);
    try {
      return await retryOnConflict(look, { ...BEING_MADE, exhausted: () => new PoolGone() });
    } catch (error) {
      if (error instanceof PoolGone) return false;
      throw error;
    }
  }

  /** Where writes to the place go. `isSpare`: none where the pool is gone, since there are others to write to. */
  async targets(location: PooledLocation, { isSpare }: { isSpare: boolean }): Promise<Location[]> {
    try {
      await this.indices.targets(location.pool);
    } catch (error) {
      if (isSpare && (await this.state(location.pool)) === 'gone') return [];
      throw error;
    }
    return [this.locationOf(location)];
  }

  forgetAll(): void {
    this.indices.forgetAll();
  }

  /** So slowly that searches and writes of other stores go on beside it. */
  async remove({ pool, scope }: PooledLocation): Promise<void> {
    try {
      await removeDocuments(this.connection, this.indices.serving(pool), { term: { scope } }, UNHURRIED);
    } catch (error) {
      if (errorType(error) !== 'index_not_found_exception') throw error;
    }
  }

  /** Everything whose scope begins so, wherever it is. */
  async removeAll(scopes: string): Promise<void> {
    await removeDocuments(this.connection, this.pattern, { prefix: { scope: scopes } });
  }

  /** Scopes with so many products, in all pools at once. */
  async large(from: number): Promise<string[]> {
    const request = {
      index: this.pattern,
      size: 0,
      track_total_hits: false,
      request_cache: true,
      query: { bool: { filter: [{ term: { part: 0 } }, { exists: { field: 'channel' } }] } },
      aggs: { scopes: { terms: { field: 'scope', size: MOST_LARGE, min_doc_count: from } } },
    };
    const { aggregations } = await this.connection.search(request, LONG_TIMEOUT);
    const { buckets = [] } = (aggregations?.['scopes'] ?? {}) as { buckets?: { key: string }[] };
    return buckets.map(({ key }) => key);
  }

  private get pattern(): string {
    return this.connection.index(`${OF_ONE_STORE}${POOL}*`);
  }
}
