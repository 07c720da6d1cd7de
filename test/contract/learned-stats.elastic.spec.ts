import { ElasticLearnedStats } from '../../src/behaviour/learning/adapters/elastic/elastic-learned-stats';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';
import { describeLearnedStatsContract } from './learned-stats.contract';

describeOn('elasticsearch', ({ elasticsearch }) => {
  const open = async (times: { knownMs: number; graceMs: number }) => {
    const connection = await openElastic(elasticsearch);
    return {
      connection,
      stats: await ElasticLearnedStats.open(connection, times),
      replica: () => ElasticLearnedStats.open(connection, times),
      entries: async (): Promise<number> => {
        const index = connection.index('learned');
        await connection.call((client, options) => client.indices.refresh({ index }, options));
        const query = { exists: { field: 'generation' } };
        return (await connection.call((client, options) => client.count({ index, query }, options))).count;
      },
      close: async () => {
        await dropIndices(connection);
        await connection.close();
      },
    };
  };

  describeLearnedStatsContract('Elasticsearch', () => open({ knownMs: 2000, graceMs: 30_000 }));

  describe('LearnedStats on two replicas', () => {
    it('a generation that one has switched to is served by the other soon, and the one before it until then', async () => {
      const { stats, replica, close } = await open({ knownMs: 200, graceMs: 30_000 });
      const other = await replica();
      await stats.write('s1', 1, [['a', 1]]);
      await stats.serve('s1', 1);
      expect(await other.read('s1', ['a'])).toEqual(new Map([['a', 1]]));
      await stats.write('s1', 2, [['a', 2]]);
      await stats.serve('s1', 2);
      const seen = new Set<unknown>();
      while ((await other.generation('s1')) !== 2) seen.add((await other.read('s1', ['a'])).get('a'));
      expect(await other.read('s1', ['a'])).toEqual(new Map([['a', 2]]));
      expect([...seen].every((value) => value === 1 || value === 2)).toBe(true);
      await close();
    });

    it('removes what was before the serving generation, and nothing of a later one', async () => {
      const { stats, entries, close } = await open({ knownMs: 0, graceMs: 1 });
      for (const generation of [1, 2, 4]) await stats.write('s1', generation, [['a', generation]]);
      await stats.write('s2', 1, [['a', 1]]);
      await stats.serve('s1', 2);
      while ((await entries()) > 3) await new Promise((wait) => setTimeout(wait, 20));
      expect(await stats.read('s1', ['a'])).toEqual(new Map([['a', 2]]));
      await stats.serve('s1', 4);
      expect(await stats.read('s1', ['a'])).toEqual(new Map([['a', 4]]));
      await close();
    });
  });
});
