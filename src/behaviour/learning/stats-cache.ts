import { Injectable } from '@nestjs/common';
import type { ProductStats } from '../../ranking/learning/learn';
import { productStatsKey, shareKey, type StatsLookup } from '../../ranking/affinity';
import { LearnedStats } from './learned-stats';

/** Keys that stay in memory, over all stores; with more, what was read is forgotten and read again. */
const MOST_CACHED = 100_000;
/** Stands for a key without a value: most title words nobody has learned anything of. */
const ABSENT = Symbol('absent');

type Known = Map<string, object | number | symbol>;

const nothing: StatsLookup = { share: () => undefined, product: () => undefined };

/**
 * Learned numbers, from memory where they were read before. Each store's are in a map of their own: names that carry the
 * store would have to be made and hashed anew for every feature of every search.
 */
@Injectable()
export class StatsCache {
  private stores = new Map<string, { generation: number; known: Known }>();
  private cached = 0;

  constructor(private readonly learned: LearnedStats) {}

  /** Changes whenever what was learned does. */
  generation(store: string): Promise<number> {
    return this.learned.generation(store);
  }

  async lookup(store: string, keys: string[]): Promise<StatsLookup> {
    const generation = await this.learned.generation(store);
    if (generation === 0) return nothing;
    const known = this.knownOf(store, generation);
    const missing = keys.filter((key) => !known.has(key));
    if (missing.length > 0) await this.load(store, known, missing);
    return lookupIn(known);
  }

  /** A new generation starts empty. Lookups handed out keep the map they have. */
  private knownOf(store: string, generation: number): Known {
    if (this.cached > MOST_CACHED) {
      this.stores = new Map();
      this.cached = 0;
    }
    const kept = this.stores.get(store);
    if (kept?.generation === generation) return kept.known;
    this.cached -= kept?.known.size ?? 0;
    const known: Known = new Map();
    this.stores.set(store, { generation, known });
    return known;
  }

  private async load(store: string, known: Known, missing: string[]): Promise<void> {
    const read = await this.learned.read(store, missing);
    const before = known.size;
    for (const key of missing) {
      const value = read.get(key);
      known.set(key, typeof value === 'number' || (typeof value === 'object' && value) ? value : ABSENT);
    }
    if (this.stores.get(store)?.known === known) this.cached += known.size - before;
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
