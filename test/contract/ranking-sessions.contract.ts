import { PackedBoosts } from '../../src/ranking/packed-boosts';
import { defaultTemplate } from '../../src/ranking/template/template';
import type { PageRanking, RankedSearch, RankingSessions } from '../../src/search/sessions/ranking-sessions';

export interface RankingSessionsSubject {
  sessions: RankingSessions;
  /** Moves their clock. */
  advance(ms: number): void;
  close(): Promise<void>;
}

const TEN_MINUTES = 600_000;

export const aSearch = (changes: Partial<RankedSearch> = {}): RankedSearch => ({
  store: 's1',
  userId: 'ana',
  deviceId: null,
  query: '{"terms":"shoes"}',
  ...changes,
});

export const aRanking = (now = 1): PageRanking => ({
  template: defaultTemplate,
  boosts: {
    strength: 50,
    maxBoost: 4,
    featureWeights: new Map([
      ['brand:veloz', 1 / 3],
      ['product:ü', 0.1],
    ]),
    affinities: new Map([
      ['brand:veloz', 2 / 3],
      ['product:ü', 1e-9],
    ]),
    prices: new Map([['moda', { mean: Math.LN2, spread: 0.3, add: 0.7 }]]),
    evidence: 12.5,
  },
  personalization: { applied: true, profile: 'user', template: 'default', variant: 'bold' },
  variant: { experiment: 'spring', name: 'bold' },
  now,
});

const neutral: PageRanking = {
  template: defaultTemplate,
  boosts: null,
  personalization: { applied: false, profile: 'none', reason: 'no_profile', template: 'default' },
  variant: null,
  now: 7,
};

/** With the boosts as plain maps, however they are kept. */
export async function recalled(sessions: RankingSessions, search: RankedSearch): Promise<PageRanking | undefined> {
  const ranking = await sessions.recall(search);
  return ranking && { ...ranking, boosts: ranking.boosts && PackedBoosts.of(ranking.boosts).plain() };
}

export function describeRankingSessionsContract(
  name: string,
  makeSubject: () => Promise<RankingSessionsSubject>,
): void {
  describe(`RankingSessions: ${name}`, () => {
    let subject: RankingSessionsSubject;
    let sessions: RankingSessions;

    beforeEach(async () => {
      subject = await makeSubject();
      ({ sessions } = subject);
    });
    afterEach(() => subject.close());

    /** Nobody waits for what is remembered. */
    const remembered = async (search: RankedSearch, ranking: PageRanking): Promise<void> => {
      sessions.remember(search, ranking);
      for (let tries = 0; !(await sessions.recall(search)); tries += 1) {
        if (tries > 200) throw new Error('It is not remembered');
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };

    test('gives back what page 1 was ranked with, to the bit', async () => {
      await remembered(aSearch(), aRanking());
      expect(await recalled(sessions, aSearch())).toEqual(aRanking());
      await remembered(aSearch({ query: 'other' }), neutral);
      expect(await recalled(sessions, aSearch({ query: 'other' }))).toEqual(neutral);
    });

    test('and what it was mixed of', async () => {
      const mixed = { ...aRanking(), mixed: { shown: ['b', 'ü', 'a'], teams: '-ab' } };
      await remembered(aSearch(), mixed);
      expect(await recalled(sessions, aSearch())).toEqual(mixed);
    });

    test('knows nothing of another store, shopper, device or query', async () => {
      await remembered(aSearch(), aRanking());
      const others = [{ store: 's2' }, { userId: 'bia' }, { userId: null }, { deviceId: 'd' }, { query: 'x' }];
      for (const other of others) expect(await sessions.recall(aSearch(other))).toBeUndefined();
    });

    test('keeps the latest page 1', async () => {
      await remembered(aSearch(), aRanking(1));
      sessions.remember(aSearch(), aRanking(2));
      for (let tries = 0; tries < 100; tries += 1) await new Promise((resolve) => setImmediate(resolve));
      await remembered(aSearch({ query: 'after' }), neutral);
      expect((await sessions.recall(aSearch()))?.now).toBe(2);
    });

    test('one shopper may be ranked with the same boosts for several queries', async () => {
      const ranking = aRanking();
      for (const query of ['a', 'b', 'c']) await remembered(aSearch({ query }), ranking);
      for (const query of ['a', 'b', 'c']) expect(await recalled(sessions, aSearch({ query }))).toEqual(aRanking());
    });

    test('for ten minutes', async () => {
      await remembered(aSearch(), aRanking());
      subject.advance(TEN_MINUTES - 1000);
      expect(await recalled(sessions, aSearch())).toEqual(aRanking());
      subject.advance(2000);
      expect(await sessions.recall(aSearch())).toBeUndefined();
    });

    test('forgets a user and the devices they were seen with, and nobody else', async () => {
      const gone = [
        aSearch(),
        aSearch({ query: 'b', deviceId: 'phone' }),
        aSearch({ userId: null, deviceId: 'phone' }),
        aSearch({ userId: 'bia', deviceId: 'phone' }),
      ];
      const kept = [
        aSearch({ userId: 'bia' }),
        aSearch({ store: 's2' }),
        aSearch({ userId: null, deviceId: 'tablet' }),
      ];
      for (const search of [...gone, ...kept]) await remembered(search, aRanking());
      await sessions.forget({ storeId: 's1', userId: 'ana', deviceIds: ['phone'] });
      for (const search of gone) expect(await sessions.recall(search)).toBeUndefined();
      for (const search of kept) expect(await recalled(sessions, search)).toEqual(aRanking());
    });
  });
}
