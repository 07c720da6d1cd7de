import { LRUCache } from 'lru-cache';

type Options = Pick<LRUCache.OptionsTTLLimit<string, object, unknown>, 'noUpdateTTL' | 'perf' | 'ttlResolution'> & {
  ttl?: number;
};

/**
 * A cache of the entries used last that takes memory as it fills. One that is told its `max` takes the room of all of them at once, some 40
 * bytes an entry: of a cache that most services never fill, megabytes.
 */
export function growingCache<V extends NonNullable<unknown>>(most: number, options: Options = {}): LRUCache<string, V> {
  return new LRUCache<string, V>({ ...options, maxSize: most, sizeCalculation: () => 1 });
}
