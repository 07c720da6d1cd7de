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

  it('lets go of what is over, although nobody asks for it and there is room', () => {
    let now = 1000;
    const cache = growingCache<string>(100, { ttl: 50, ttlResolution: 0, perf: { now: () => now } });
    for (const key of ['a', 'b', 'c']) cache.set(key, key);
    now += 60;
    cache.set('d', 'd');
    expect([cache.size, cache.get('d')]).toEqual([1, 'd']);
  });
});
