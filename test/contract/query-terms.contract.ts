import type { Clock } from '../../src/shared/clock';
import type { Contribution } from '../../src/search/terms/contributions';
import type { QueryTerms } from '../../src/search/terms/query-terms';

interface Subject {
  terms: QueryTerms;
  /** Writes what is buffered and opens anew. */
  reopen(): Promise<QueryTerms>;
  close(): Promise<void>;
}

const DAY = 86_400_000;

/** Moves when a test says so. */
export class TermsClock implements Clock {
  time = Date.UTC(2026, 0, 15, 12);

  now(): number {
    return this.time;
  }
}

/** What every QueryTerms promises. */
export function describeQueryTermsContract(adapter: string, makeSubject: (clock: Clock) => Promise<Subject>): void {
  describe(`QueryTerms: ${adapter}`, () => {
    let clock: TermsClock;
    let subject: Subject;

    beforeEach(async () => {
      clock = new TermsClock();
      subject = await makeSubject(clock);
    });
    afterEach(() => subject.close());

    const by = (user: string, changes: Partial<Contribution> = {}): Contribution => ({
      user,
      device: null,
      address: null,
      at: clock.now(),
      ...changes,
    });

    /** Each by so many shoppers whose backend sends keys. */
    function searched(terms: Readonly<Record<string, number>>, store = 's1'): void {
      for (const [query, shoppers] of Object.entries(terms)) {
        for (let at = 0; at < shoppers; at++) subject.terms.record(store, query, { size: 7, by: by(`user-${at}`) });
      }
    }

    /** Searched by these alone. */
    async function shownOf(contributions: Contribution[]): Promise<boolean> {
      for (const one of contributions) subject.terms.record('s1', 'vestido longo', { size: 3, by: one });
      const terms = await subject.reopen();
      return (await terms.matching('s1', '', 10)).length === 1;
    }

    it('offers what was searched and found, the most searched first', async () => {
      searched({ 'Tênis Nike': 5, 'tenis nike': 3, mesa: 4, 'bola de tênis': 4 });
      subject.terms.record('s1', 'nada', { size: 0, by: by('ana') });
      const terms = await subject.reopen();
      expect(await terms.matching('s1', '', 10)).toEqual([
        { query: 'tenis nike', size: 7 },
        { query: 'bola de tenis', size: 7 },
        { query: 'mesa', size: 7 },
      ]);
    });

    it('matches the start of any word of a term, whatever its accents, where it is allowed', async () => {
      searched({ 'tênis nike': 4, 'bola de tênis': 3, mesa: 3 });
      const terms = await subject.reopen();
      const queries = (await terms.matching('s1', 'TÊN', 10)).map(({ query }) => query);
      expect(queries).toEqual(['tenis nike', 'bola de tenis']);
      expect(await terms.matching('s1', 'enis', 10)).toEqual([]);
      expect(await terms.matching('s1', 'ten', 1)).toHaveLength(1);
      const allowed = (query: string): boolean => !query.includes('nike');
      expect(await terms.matching('s1', 'ten', 1, allowed)).toEqual([{ query: 'bola de tenis', size: 7 }]);
    });

    it('offers the most searched as popular, and what is a typing mistake away as near', async () => {
      searched({ 'tenis nike': 4, 'bola de futebol': 3, mesa: 5, rara: 1 });
      const terms = await subject.reopen();
      const all = (): boolean => true;
      const queries = (found: readonly { query: string }[]): string[] => found.map(({ query }) => query);
      expect(queries(await terms.popular('s1', 2, all))).toEqual(['mesa', 'tenis nike']);
      expect(queries(await terms.popular('s1', 9, (query) => query !== 'mesa'))).toEqual([
        'tenis nike',
        'bola de futebol',
      ]);
      expect(queries(await terms.near('s1', 'tenix azul', 9, all))).toEqual(['tenis nike']);
      expect(queries(await terms.near('s1', 'futbeol', 9, all))).toEqual(['bola de futebol']);
      expect(await terms.near('s1', 'geladeira 55', 9, all)).toEqual([]);
      expect(await terms.near('s1', 'tenix', 9, (query) => !query.includes('nike'))).toEqual([]);
    });

    it('keeps stores apart and forgets one', async () => {
      searched({ mesa: 3 });
      const terms = await subject.reopen();
      expect(await terms.matching('s2', '', 10)).toEqual([]);
      await terms.removeStore('s1');
      expect(await terms.matching('s1', '', 10)).toEqual([]);
      expect(await terms.searchedBy('s1', ['user-0'])).toEqual([]);
    });

    it('offers what three shoppers searched, and nothing of fewer, however often', async () => {
      expect(await shownOf([by('ana'), by('bia'), by('ana'), by('bia')])).toBe(false);
      expect(await shownOf([by('eva')])).toBe(true);
    });

    it('takes a device for its user, once it was seen with one', async () => {
      const device = { device: 'd1' };
      expect(await shownOf([by('ana'), { ...by(''), user: null, ...device }, by('ana', device), by('bia')])).toBe(
        false,
      );
    });

    it('without keys asks for two addresses, and takes two shoppers from each', async () => {
      const from = (address: string, ...users: string[]) => users.map((user) => by(user, { address }));
      expect(await shownOf(from('x', 'u1', 'u2', 'u3', 'u4', 'u5'))).toBe(false);
      clock.time += 3 * DAY;
      expect(await shownOf(from('x', 'u6', 'u7', 'u8'))).toBe(false);
      expect(await shownOf(from('y', 'u9'))).toBe(true);
    });

    it('does not lose keys to whoever makes up the same id without them', async () => {
      const forged = ['ana', 'bia', 'eva'].map((user) => by(user, { address: 'x' }));
      expect(await shownOf([by('ana'), by('bia'), by('eva'), ...forged])).toBe(true);
    });

    it('no longer offers what fewer have searched in the last 30 days', async () => {
      expect(await shownOf([by('ana'), by('bia')])).toBe(false);
      clock.time += 20 * DAY;
      expect(await shownOf([by('eva')])).toBe(true);
      clock.time += 11 * DAY;
      expect(await (await subject.reopen()).matching('s1', '', 10)).toEqual([]);
    });

    it('removes what nobody has searched for 30 days', async () => {
      searched({ mesa: 3, cadeira: 1 });
      let terms = await subject.reopen();
      clock.time += 29 * DAY;
      expect(await terms.expire()).toBe(0);
      subject.terms.record('s1', 'mesa', { size: 1, by: by('ana') });
      terms = await subject.reopen();
      clock.time += 2 * DAY;
      expect(await terms.expire()).toBe(1);
      expect((await terms.searchedBy('s1', ['user-0', 'ana'])).map(({ query }) => query)).toEqual(['mesa']);
    });

    it('forgets shoppers: what they searched, and with the last of them the term itself', async () => {
      searched({ mesa: 3, 'só dela': 1 });
      const terms = await subject.reopen();
      expect(await terms.searchedBy('s1', ['user-0', 'stranger'])).toEqual([
        { query: 'mesa', last: clock.now() },
        { query: 'so dela', last: clock.now() },
      ]);
      expect(await terms.forget('s1', ['user-0', 'stranger'])).toBe(2);
      expect(await terms.matching('s1', '', 10)).toEqual([]);
      expect(await terms.searchedBy('s1', ['user-0'])).toEqual([]);
      expect((await terms.searchedBy('s1', ['user-1'])).map(({ query }) => query)).toEqual(['mesa']);
      expect(await terms.forget('s1', ['user-0'])).toBe(0);
      expect(await terms.expire()).toBe(0);
    });

    it('forgets devices, and what was counted a moment ago', async () => {
      const terms = await subject.reopen();
      terms.record('s1', 'mesa', { size: 1, by: { ...by(''), user: null, device: 'd1' } });
      expect(await terms.forget('s1', ['d1'])).toBe(1);
      expect(await terms.searchedBy('s1', ['d1'])).toEqual([]);
    });

    it('bounds the shoppers it keeps of a term', async () => {
      searched({ mesa: 60 });
      const terms = await subject.reopen();
      const kept: number[] = [];
      for (let at = 0; at < 60; at++) kept.push((await terms.searchedBy('s1', [`user-${at}`])).length);
      expect(kept.reduce((sum, one) => sum + one)).toBe(20);
      expect(await terms.matching('s1', '', 10)).toEqual([{ query: 'mesa', size: 7 }]);
    });
  });
}
