import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ProductStats } from '../../ranking/learning/learn';
import { productStatsKey, shareKey, type StatsLookup } from '../../ranking/affinity';
import { CatalogShares, SHARES_KEPT_MS } from './catalog-shares';
import { LearnedStats } from './learned-stats';

/** Keys that stay in memory, over all stores. With more, the store that was asked for the longest time ago is read again. */
const MOST_CACHED = 100_000;
/** Stands for a key without a value: most title words nobody has learned anything of. */
const ABSENT = Symbol('absent');

type Known = Map<string, object | number | symbol>;

/**
 * Learned numbers, from memory where they were read before. Each store's are in a map of their own: names that carry the
 * store would have to be made and hashed anew for every feature of every search.
 */
@Injectable()
export class StatsCache {
  private readonly stores = new LRUCache<string, { generation: number; known: Known }>({ maxSize: MOST_CACHED });

  constructor(
    private readonly learned: LearnedStats,
    private readonly catalog: CatalogShares,
  ) {}

  /** Changes whenever what was learned does; before anything was, every few seconds, since the catalog may have changed. */
  async generation(store: string): Promise<number> {
    const generation = await this.learned.generation(store);
    return generation === 0 ? -Math.ceil(performance.now() / SHARES_KEPT_MS) : generation;
  }

  async lookup(store: string, keys: string[]): Promise<StatsLookup> {
    const generation = await this.learned.generation(store);
    if (generation === 0) return lookupIn(await this.catalog.of(store));
    const kept = this.stores.get(store);
    // A new generation starts empty. Lookups handed out keep the map they have.
    const known: Known = kept?.generation === generation ? kept.known : new Map();
    const missing = keys.filter((key) => !known.has(key));
    if (missing.length > 0) {
      // Before the read, so that all who ask meanwhile fill the same map.
      this.stores.set(store, { generation, known }, { size: known.size + missing.length });
      const read = await this.learned.read(store, missing);
      for (const key of missing) {
        const value = read.get(key);
        known.set(key, typeof value === 'number' || (typeof value === 'object' && value) ? value : ABSENT);
      }
    }
    return lookupIn(known);
  }
}

function lookupIn(known: ReadonlyMap<string, object | number | symbol>): StatsLookup {
  return {
    share(feature): number | undefined {
      const value = known.get(shareKey(feature));
      return typeof value === 'number' ? value : undefined;
    },
    product(productId): ProductStats | undefined {
      const value = known.get(productStatsKey(productId));
      return typeof value === 'object' ? (value as ProductStats) : undefined;
    },
  };
}
