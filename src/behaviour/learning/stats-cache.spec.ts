import type { LearnedStats } from './learned-stats';
import { StatsCache } from './stats-cache';

describe('the memory of learned numbers', () => {
  it('keeps what searches at the same time have read of a store', async () => {
    const asked: string[] = [];
    const learned = {
      generation: async () => 1,
      read: async (_store: string, keys: string[]) => {
        asked.push(...keys);
        return new Map(keys.map((key) => [key, 0.5]));
      },
    } as unknown as LearnedStats;
    const cache = new StatsCache(learned);
    await Promise.all([cache.lookup('s1', ['a']), cache.lookup('s1', ['b'])]);
    await cache.lookup('s1', ['a', 'b']);
    expect(asked).toEqual(['a', 'b']);
  });
});
