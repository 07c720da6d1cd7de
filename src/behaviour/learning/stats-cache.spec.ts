import type { CatalogShares } from './catalog-shares';
import type { LearnedStats } from './learned-stats';
import { StatsCache } from './stats-cache';

const catalog = { of: async () => new Map([['brand:acme', 0.25]]) } as unknown as CatalogShares;

describe('the memory of learned numbers', () => {
  it('goes by the catalog as long as nothing was learned', async () => {
    const learned = { generation: async () => 0 } as unknown as LearnedStats;
    const cache = new StatsCache(learned, catalog);
    expect(await cache.generation('s1')).toBeLessThan(0);
    const stats = await cache.lookup('s1', ['brand:acme']);
    expect([stats.share('brand:acme'), stats.share('brand:other')]).toEqual([0.25, undefined]);
    expect(stats.product('p')).toBeUndefined();
  });

  it('keeps what searches at the same time have read of a store', async () => {
    const asked: string[] = [];
    const learned = {
      generation: async () => 1,
      read: async (_store: string, keys: string[]) => {
        asked.push(...keys);
        return new Map(keys.map((key) => [key, 0.5]));
      },
    } as unknown as LearnedStats;
    const cache = new StatsCache(learned, catalog);
    await Promise.all([cache.lookup('s1', ['a']), cache.lookup('s1', ['b'])]);
    await cache.lookup('s1', ['a', 'b']);
    expect(asked).toEqual(['a', 'b']);
  });
});
