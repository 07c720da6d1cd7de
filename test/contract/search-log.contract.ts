import type { JoinedSearch } from '../../src/search/log/logged-search';
import type { SearchArchiveEntry } from '../../src/search/log/search-archive';
import { type LogQuery, SearchLog } from '../../src/search/log/search-log';
import type { Archive } from '../../src/storage/archive';
import { aCart, aClick, aLoggedSearch, anOrder, SEARCHED_AT } from '../builders/a-logged-search';
import { describeOutcomes } from './search-log-outcomes.contract';

const DAY = 86_400_000;

export interface OpenSearchLog {
  log: SearchLog;
  archive: Archive<SearchArchiveEntry>;
  /** An empty one elsewhere, to import into. */
  elsewhere(): Promise<OpenSearchLog>;
  close(): Promise<void>;
}

export function describeSearchLogContract(name: string, open: () => Promise<OpenSearchLog>): void {
  describe(`SearchLog: ${name}`, () => {
    let opened: OpenSearchLog;
    let log: SearchLog;
    let store: string;
    let stores = 0;

    beforeAll(async () => {
      opened = await open();
      ({ log } = opened);
    });
    afterAll(() => opened.close());
    beforeEach(() => {
      store = `store-${(stores += 1)}`;
    });

    const search = (changes: Parameters<typeof aLoggedSearch>[0] = {}): void =>
      log.noteSearch(aLoggedSearch({ store, ...changes }));
    const click = (changes: Parameters<typeof aClick>[0] = {}): void => log.noteOutcome(aClick({ store, ...changes }));
    const cart = (changes: Parameters<typeof aCart>[0] = {}): void => log.noteOutcome(aCart({ store, ...changes }));
    const order = (changes: Parameters<typeof anOrder>[0] = {}): void =>
      log.noteOutcome(anOrder({ store, ...changes }));
    const all = async (query: Partial<LogQuery> = {}, from: SearchLog = log): Promise<JoinedSearch[]> => {
      await log.flush();
      const found: JoinedSearch[] = [];
      for await (const page of from.read({ store, from: 0, to: Number.MAX_SAFE_INTEGER, ...query }))
        found.push(...page);
      return found;
    };
    /** `cart a` by the search it followed from. */
    const followed = async (): Promise<Record<string, string[]>> => {
      const found = (await all()).map(({ searchId, outcomes }) => [
        searchId,
        outcomes.map(({ kind, product }) => `${kind} ${product}`),
      ]);
      return Object.fromEntries(found) as Record<string, string[]>;
    };

    describe('searches', () => {
      it('are read as they were noted', async () => {
        const noted = aLoggedSearch({
          store,
          query: 'tênis "azul"',
          filters: ['brand:Acme', 'price:50..100'],
          salesChannel: 'app',
          listing: 'category:shoes',
          shopper: null,
          shown: ['a', 'linha\nnova', '😀'],
          first: 25,
          page: 2,
          teams: '-ab',
        });
        log.noteSearch(noted);
        expect(await all()).toEqual([{ ...noted, outcomes: [] }]);
      });

      it('are ordered by time, over months and pages', async () => {
        const times = Array.from({ length: 1203 }, (_, at) => SEARCHED_AT - ((at * 7919) % 1203) * 3_600_000);
        times.forEach((at, serial) => search({ searchId: `s-${serial}`, at }));
        const found = (await all()).map(({ at }) => at);
        expect(found).toEqual(times.toSorted((a, b) => a - b));
      });

      it('are found from a time on and before another', async () => {
        for (const at of [1, 2, 3]) search({ searchId: `s-${at}`, at: SEARCHED_AT + at });
        const found = await all({ from: SEARCHED_AT + 2, to: SEARCHED_AT + 3 });
        expect(found.map(({ searchId }) => searchId)).toEqual(['s-2']);
      });

      it('are found by shopper', async () => {
        search({ searchId: 's-1', shopper: 'u:ana' });
        search({ searchId: 's-2', shopper: 'd:ana' });
        search({ searchId: 's-3', shopper: null });
        expect((await all({ shopper: 'd:ana' })).map(({ searchId }) => searchId)).toEqual(['s-2']);
      });

      it('count once', async () => {
        search();
        search();
        await log.flush();
        search();
        expect(await all()).toHaveLength(1);
        expect(await log.count(store)).toBe(1);
        expect(await log.count('nobody')).toBe(0);
        expect([(await log.stores()).has(store), (await log.stores()).has('nobody')]).toEqual([true, false]);
      });

      it('of a store are seen by no other', async () => {
        search();
        expect(await all({ store: 'nobody' })).toEqual([]);
      });
    });

    describe('outcomes', () => describeOutcomes(() => ({ log, store, search, click, cart, order, all, followed })));

    describe('removing', () => {
      it("takes a shopper's searches and what they did, and answers how many searches", async () => {
        search({ searchId: 's-1' });
        search({ searchId: 's-2', shopper: 'u:bia' });
        click({ searchId: 's-2' });
        click({ searchId: 's-2', shoppers: ['u:bia'], product: 'b' });
        await log.flush();
        expect(await log.remove({ store, shoppers: ['u:ana', 'd:phone'] })).toBe(1);
        expect(await log.remove({ store, shoppers: ['u:ana', 'd:phone'] })).toBe(0);
        expect(await followed()).toEqual({ 's-2': ['click b'] });
        cart();
        expect(await followed()).toEqual({ 's-2': ['click b'] });
      });

      it('takes what is older than a time', async () => {
        search({ searchId: 's-1', at: SEARCHED_AT - 40 * DAY });
        search({ searchId: 's-2' });
        await log.flush();
        const old = async (time: number): Promise<boolean> => (await log.storesBefore(time)).has(store);
        expect(await old(SEARCHED_AT - 40 * DAY)).toBe(false);
        expect(await old(SEARCHED_AT - 40 * DAY + 1)).toBe(true);
        expect(await log.remove({ store, before: SEARCHED_AT })).toBe(1);
        expect(await log.count(store)).toBe(1);
        expect([await old(SEARCHED_AT), await old(SEARCHED_AT + 1)]).toEqual([false, true]);
        // What followed from a search may be left without it.
        click({ searchId: 's-2' });
        await log.flush();
        await log.remove({ store, before: SEARCHED_AT + 1 });
        expect([await old(SEARCHED_AT + 1), await old(SEARCHED_AT + DAY)]).toEqual([false, true]);
      });

      it('takes a whole store, and nothing of another', async () => {
        const other = `${store}-other`;
        search();
        search({ store: other });
        click();
        await log.flush();
        expect(await log.remove({ store, all: true })).toBe(1);
        expect([await log.count(store), await log.count(other)]).toEqual([0, 1]);
      });
    });

    it('is written within a second, though nobody asks for it', async () => {
      search();
      const until = performance.now() + 10_000;
      while ((await log.count(store)) === 0 && performance.now() < until) {
        await new Promise((done) => setTimeout(done, 20));
      }
      expect(await log.count(store)).toBe(1);
    });

    it('is moved elsewhere whole', async () => {
      search({ listing: 'hotsite:verao', variant: { experiment: 'e', name: 'v' }, teams: 'ab-' });
      search({ searchId: 's-2', shopper: null });
      click();
      order();
      const before = await all();
      const target = await opened.elsewhere();
      const state = await opened.archive.state();
      for await (const page of opened.archive.read()) {
        await target.archive.restore(page);
        await target.archive.restore(page);
      }
      expect(await opened.archive.state()).toBe(state);
      expect(await all({}, target.log)).toEqual(before);
      click({ searchId: 's-2' });
      await log.flush();
      expect(await opened.archive.state()).not.toBe(state);
      await target.close();
    });
  });
}
