import { LRUCache } from 'lru-cache';

interface Options<V> {
  /** Milliseconds after which an entry is over. It leaves the memory at most as long again after that, whether the cache is used or not. */
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
  const { ttl } = times;
  const looks = { waits: false };
  const onInsert = (): void => {
    if (ttl !== undefined && !looks.waits) purgeLater(new WeakRef(cache), ttl, looks);
  };
  const cache = new LRUCache<string, V>({ ...times, maxSize: most, sizeCalculation: sizeOf, onInsert });
  return cache;
}

/**
 * What is over is in nobody's way until the cache is full, and would stay in memory for as long. The timer does not hold a cache that nobody
 * else holds.
 */
function purgeLater(
  cache: WeakRef<{ purgeStale(): boolean; readonly size: number }>,
  ttl: number,
  looks: { waits: boolean },
): void {
  looks.waits = true;
  const purge = (): void => {
    looks.waits = false;
    const known = cache.deref();
    known?.purgeStale();
    if (known && known.size > 0) purgeLater(cache, ttl, looks);
  };
  // An entry is over a moment after its time.
  setTimeout(purge, ttl + 1).unref();
}
