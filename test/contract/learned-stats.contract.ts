import type { LearnedStats } from '../../src/behaviour/learning/learned-stats';

export interface LearnedStatsSubject {
  stats: LearnedStats;
  close(): Promise<void>;
}

export function describeLearnedStatsContract(name: string, makeSubject: () => Promise<LearnedStatsSubject>): void {
  describe(`LearnedStats: ${name}`, () => {
    let subject: LearnedStatsSubject;
    let stats: LearnedStats;

    beforeEach(async () => {
      subject = await makeSubject();
      ({ stats } = subject);
    });
    afterEach(() => subject.close());

    test('knows nothing at first', async () => {
      expect(await stats.generation('s1')).toBe(0);
      expect(await stats.read('s1', ['a'])).toEqual(new Map());
    });

    test('shows nothing of a generation before it serves, and all of it from then on', async () => {
      await stats.write('s1', 1, [['share:brand:acme', 0.25]]);
      await stats.write('s1', 1, [['lore:p1', { related: [['p2', 3.5]], repurchase: 1 }]]);
      expect(await stats.read('s1', ['share:brand:acme'])).toEqual(new Map());
      await stats.serve('s1', 1);
      expect(await stats.generation('s1')).toBe(1);
      const keys = ['share:brand:acme', 'lore:p1', 'share:unknown'];
      expect(await stats.read('s1', keys)).toEqual(
        new Map<string, unknown>([
          ['share:brand:acme', 0.25],
          ['lore:p1', { related: [['p2', 3.5]], repurchase: 1 }],
        ]),
      );
    });

    test('goes on serving the old generation while another is written, then only the new one', async () => {
      await stats.write('s1', 1, [
        ['a', 1],
        ['gone', 1],
      ]);
      await stats.serve('s1', 1);
      await stats.write('s1', 2, [['a', 2]]);
      expect(await stats.read('s1', ['a', 'gone'])).toEqual(
        new Map([
          ['a', 1],
          ['gone', 1],
        ]),
      );
      await stats.serve('s1', 2);
      expect(await stats.read('s1', ['a', 'gone'])).toEqual(new Map([['a', 2]]));
    });

    test('never mixes in what a try that broke off has written', async () => {
      await stats.write('s1', 1, [['left', 1]]);
      await stats.write('s1', 2, [['a', 2]]);
      await stats.serve('s1', 2);
      expect(await stats.read('s1', ['left', 'a'])).toEqual(new Map([['a', 2]]));
    });

    test('never goes back to a generation before the serving one, and leaves one alone that is being written', async () => {
      await stats.write('s1', 1, [['a', 1]]);
      await stats.write('s1', 2, [['a', 2]]);
      await stats.write('s1', 3, [['a', 3]]);
      await stats.serve('s1', 2);
      await stats.serve('s1', 1);
      expect(await stats.generation('s1')).toBe(2);
      expect(await stats.read('s1', ['a'])).toEqual(new Map([['a', 2]]));
      await stats.serve('s1', 3);
      expect(await stats.read('s1', ['a'])).toEqual(new Map([['a', 3]]));
    });

    test('takes many keys at once', async () => {
      const entries = Array.from({ length: 12_000 }, (_, index): [string, unknown] => [`share:tag:${index}`, index]);
      await stats.write('s1', 1, entries);
      await stats.serve('s1', 1);
      const found = await stats.read(
        's1',
        entries.slice(0, 2000).map(([key]) => key),
      );
      expect(found.size).toBe(2000);
      expect(found.get('share:tag:1999')).toBe(1999);
      expect(await stats.removeStore('s1')).toBe(12_000);
    });

    test('removes a store and leaves the others', async () => {
      for (const store of ['s1', 's2']) {
        await stats.write(store, 1, [['a', store]]);
        await stats.serve(store, 1);
      }
      expect(await stats.removeStore('s1')).toBe(1);
      expect(await stats.generation('s1')).toBe(0);
      expect(await stats.read('s1', ['a'])).toEqual(new Map());
      expect(await stats.read('s2', ['a'])).toEqual(new Map([['a', 's2']]));
    });
  });
}
