import { aLoggedSearch } from '../../../test/builders/a-logged-search';
import type { JoinedSearch } from '../log/logged-search';
import { chooseSearches } from './chosen-searches';
import { ReplayTally } from './replay-tally';
import { shiftOf } from './shown-shift';

const aSearch = (fields: Partial<JoinedSearch>): JoinedSearch => ({
  ...aLoggedSearch({ store: 's', searchId: 'q1', at: 1, query: 'shoe', source: '' }),
  outcomes: [{ at: 2, kind: 'click', product: 'b', micros: 0 }],
  ...fields,
});

async function* pagesOf(...pages: JoinedSearch[][]): AsyncGenerator<JoinedSearch[]> {
  yield* pages;
}

describe('which searches are replayed', () => {
  test('those of people that something followed from, and the others are counted by reason', async () => {
    const pages = pagesOf(
      [aSearch({ searchId: 'late', at: 9 }), aSearch({ searchId: 'bot', isBot: true })],
      [aSearch({ searchId: 'none', outcomes: [] }), aSearch({ searchId: 'list', listing: 'c' }), aSearch({ at: 2 })],
    );
    const { chosen, left } = await chooseSearches(pages, { most: 10 });
    expect(chosen.map(({ search }) => search.searchId)).toEqual(['q1', 'late']);
    expect(left).toEqual({ bot: 1, listing: 1, no_outcome: 1, not_found: 0, sampled_out: 0 });
  });

  test('of too many the same sample every time, whatever the pages', async () => {
    const all = Array.from({ length: 50 }, (_, index) => aSearch({ searchId: `q${index}`, at: index }));
    const once = await chooseSearches(pagesOf(all), { most: 8 });
    const again = await chooseSearches(pagesOf(all.slice(0, 20), all.slice(20, 30), all.slice(30)), { most: 8 });
    expect(once.chosen).toHaveLength(8);
    expect(again).toEqual(once);
    expect(once.left.sampled_out).toBe(42);
  });
});

describe('what a replay adds up', () => {
  test('worked by hand: a click at place 2 that comes to place 1, for three shoppers', () => {
    const tally = new ReplayTally();
    for (const shopper of ['u:ana', 'u:bia', 'd:cid'] as const) {
      const search = aSearch({ shopper, query: shopper === 'u:ana' ? 'Shoe of Ana' : 'shoe' });
      const judged = new Map([['b', 2]]);
      tally.add({
        search,
        judged,
        current: ['a', 'b', 'c'],
        candidate: ['b', 'a', 'd'],
        isPersonal: shopper !== 'd:cid',
      });
    }
    const search = aSearch({ shopper: null, searchId: 'q2' });
    tally.add({ search, judged: new Map([['a', 4]]), current: ['a'], candidate: ['a'], isPersonal: false });
    const scores = tally.scores();
    expect(scores).toMatchObject({ used: 4, shoppers: 4, personal: 2, changed: 3 });
    // Weights 2, 2, 2 and 4.
    expect(scores.ndcg.current).toBeCloseTo((6 / Math.log2(3) + 4) / 10, 12);
    expect(scores.ndcg.candidate).toBe(1);
    expect(scores.mrr).toMatchObject({ current: 0.7, candidate: 1 });
    expect(scores.loss).toBeCloseTo(1 - 1 / scores.ndcg.current, 12);
    expect(scores.coverage).toEqual({ current: 3, candidate: 3 });
    // A query of a single shopper is not told.
    expect(scores.queries.map(({ query, searches }) => [query, searches])).toEqual([['shoe', 3]]);
    const facts = new Map([
      ['a', { brand: 'X', price: 10 }],
      ['b', { brand: 'Y', price: 20 }],
      ['c', { brand: null, price: 60 }],
    ]);
    // a 4, b 3, c 3 of ten before; a 4, b 3 of seven after: d is gone.
    const { price, brands } = shiftOf(tally.shown, facts);
    expect(price).toEqual({ current: 28, candidate: 100 / 7 });
    expect(brands[0]).toEqual({ brand: '', current: 0.3, candidate: 0 });
    expect(brands.map(({ brand }) => brand)).toEqual(['', 'X', 'Y']);
  });
});
