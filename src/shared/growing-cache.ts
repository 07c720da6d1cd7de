import { LRUCache } from 'lru-cache';

interface Options<V> {
  /** Milliseconds after which an entry is over. It leaves no later than after twice that, where the cache is written to. */
  ttl?: number;
  ttlResolution?: number;
  noUpdateTTL?: boolean;
  perf?: { now(): number };
  /** Default: 1 for each. */
  sizeOf?(value: V): number;
}

/**
 * A cache of the entries used last that takes memory as it fills. One that is told its `max` takes the room of all of them at once, some 40
 * bytes an entry: of a cache that most services never fill, megabytes. `most`: entries, or the sum of their sizes.
 */
export function growingCache<V extends NonNullable<unknown>>(
  most: number,
  { sizeOf = () => 1, ...times }: Options<V> = {},
): LRUCache<string, V> {
  const { ttl, perf = performance } = times;
  let purgedAt = perf.now();
  // What is over is in nobody's way until the cache is full, and would stay in memory for as long.
  const purge = (): void => {
    if (ttl === undefined || perf.now() - purgedAt < ttl) return;
    purgedAt = perf.now();
    cache.purgeStale();
  };
  const cache = new LRUCache<string, V>({ ...times, maxSize: most, sizeCalculation: sizeOf, onInsert: purge });
  return cache;
}
