import { growingCache } from './growing-cache';

describe('a cache that grows', () => {
  it('keeps those used last, by their sizes', () => {
    const cache = growingCache<string>(5, { sizeOf: ({ length }) => length });
    cache.set('a', 'xx');
    cache.set('b', 'xx');
    expect(cache.get('a')).toBe('xx');
    cache.set('c', 'xx');
    expect([...cache.keys()].toSorted()).toEqual(['a', 'c']);
  });

  it('lets go of what is over, although nobody asks for anything and there is room', () => {
    jest.useFakeTimers();
    try {
      const cache = growingCache<string>(100, { ttl: 50, ttlResolution: 0, perf: Date });
      for (const key of ['a', 'b', 'c']) cache.set(key, key);
      jest.advanceTimersByTime(40);
      cache.set('d', 'd');
      jest.advanceTimersByTime(20);
      expect([cache.size, cache.get('d')]).toEqual([1, 'd']);
      jest.advanceTimersByTime(100);
      expect(cache.size).toBe(0);
      cache.set('e', 'e');
      jest.advanceTimersByTime(102);
      expect(cache.size).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});
