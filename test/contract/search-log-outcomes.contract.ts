import type { JoinedSearch } from '../../src/search/log/logged-search';
import type { LogQuery, SearchLog } from '../../src/search/log/search-log';
import { type aCart, type aClick, type aLoggedSearch, type anOrder, SEARCHED_AT } from '../builders/a-logged-search';

const DAY = 86_400_000;

/** Notes in a store of its own. */
interface Open {
  log: SearchLog;
  store: string;
  search(changes?: Parameters<typeof aLoggedSearch>[0]): void;
  click(changes?: Parameters<typeof aClick>[0]): void;
  cart(changes?: Parameters<typeof aCart>[0]): void;
  order(changes?: Parameters<typeof anOrder>[0]): void;
  all(query?: Partial<LogQuery>): Promise<JoinedSearch[]>;
  /** `cart a` by the search it followed from. */
  followed(): Promise<Record<string, string[]>>;
}

/** The part of the contract that outcomes are. */
export function describeOutcomes(open: () => Open): void {
  let { log, store, search, click, cart, order, all, followed } = {} as Open;
  beforeEach(() => {
    ({ log, store, search, click, cart, order, all, followed } = open());
  });

  it('stand with the search they followed from', async () => {
    search();
    click({ product: 'b' });
    order({ product: 'b', searchId: 'search-1', micros: 5 });
    expect(await all()).toMatchObject([
      {
        outcomes: [
          { kind: 'click', product: 'b', at: SEARCHED_AT + 1000, micros: 0 },
          { kind: 'order', product: 'b', at: SEARCHED_AT + 120_000, micros: 5, order: 'order-1' },
        ],
      },
    ]);
  });

  it('count once for a search, kind and product', async () => {
    search();
    for (const at of [5, 6]) click({ at: SEARCHED_AT + at });
    await log.flush();
    click({ at: SEARCHED_AT + 7 });
    cart();
    cart({ at: SEARCHED_AT + 70_000 });
    order();
    order();
    order({ order: 'order-2' });
    expect(await followed()).toEqual({ 'search-1': ['click a', 'cart a', 'order a', 'order a'] });
  });

  it('of carts and orders follow from the last click of their shopper on the product', async () => {
    for (const id of [1, 2, 3]) search({ searchId: `s-${id}` });
    click({ searchId: 's-1', at: SEARCHED_AT + 1 });
    click({ searchId: 's-2', at: SEARCHED_AT + 2 });
    click({ searchId: 's-3', at: SEARCHED_AT + 3, product: 'b' });
    click({ searchId: 's-3', at: SEARCHED_AT + 4, shoppers: ['u:bia'] });
    cart();
    await log.flush();
    order();
    cart({ product: 'c' });
    expect(await followed()).toEqual({
      's-1': ['click a'],
      's-2': ['click a', 'cart a', 'order a'],
      's-3': ['click b', 'click a'],
    });
  });

  it('of many shoppers, written together, each follow from a click of their own', async () => {
    const shoppers = ['u:ana', 'u:bia', 'd:phone'] as const;
    shoppers.forEach((shopper, serial) => {
      search({ searchId: `s-${serial}` });
      click({ searchId: `s-${serial}`, shoppers: [shopper] });
      click({ searchId: `s-${serial}`, product: 'b', shoppers: [shopper], at: SEARCHED_AT + 1001 });
    });
    await log.flush();
    for (const shopper of shoppers) cart({ product: 'b', shoppers: [shopper] });
    cart({ shoppers: ['u:cris', 'd:phone'], at: SEARCHED_AT + 60_001 });
    cart({ shoppers: ['u:bia'], at: SEARCHED_AT });
    expect(await followed()).toEqual({
      's-0': ['click a', 'click b', 'cart b'],
      's-1': ['click a', 'click b', 'cart b'],
      's-2': ['click a', 'click b', 'cart b', 'cart a'],
    });
  });

  it('follow from an old click, too, of somebody who has clicked a thousand times since', async () => {
    search();
    search({ searchId: 'later-1001' });
    click();
    click({ product: 'b', at: SEARCHED_AT + 1001 });
    for (let n = 1; n <= 1001; n += 1) click({ searchId: `later-${n}`, at: SEARCHED_AT + 2000 + n });
    await log.flush();
    order({ product: 'b' });
    order({ product: 'a' });
    cart({ product: 'a', at: SEARCHED_AT + 1500 });
    expect(await followed()).toEqual({
      'search-1': ['click a', 'click b', 'cart a', 'order b'],
      'later-1001': ['click a', 'order a'],
    });
  });

  it('of others, written together with that, follow from their own', async () => {
    for (const id of [1, 2]) search({ searchId: `s-${id}` });
    click({ searchId: 's-1', product: 'b', shoppers: ['u:bia'] });
    click({ searchId: 's-1', product: 'c', shoppers: ['u:bia'], at: SEARCHED_AT + 1001 });
    click({ searchId: 's-2', product: 'b', shoppers: ['d:phone'] });
    for (let n = 1; n <= 1001; n += 1) click({ searchId: `later-${n}`, at: SEARCHED_AT + 1000 + n });
    await log.flush();
    cart({ product: 'a' });
    cart({ product: 'b', shoppers: ['u:bia'] });
    cart({ product: 'c', shoppers: ['u:bia'], at: SEARCHED_AT + 60_001 });
    cart({ product: 'b', shoppers: ['u:cris', 'd:phone'] });
    cart({ product: 'b', shoppers: ['u:dora'] });
    expect(await followed()).toEqual({
      's-1': ['click b', 'click c', 'cart b', 'cart c'],
      's-2': ['click b', 'cart b'],
    });
  });

  it('of two stores, written together, follow from clicks in their own', async () => {
    const other = `${store}-other`;
    for (const one of [store, other]) {
      search({ store: one, searchId: `of-${one}` });
      click({ store: one, searchId: `of-${one}`, product: one });
    }
    await log.flush();
    for (const one of [store, other]) {
      cart({ store: one, product: store });
      order({ store: one, product: other });
    }
    expect(await followed()).toEqual({ [`of-${store}`]: [`click ${store}`, `cart ${store}`] });
    const [found] = await all({ store: other });
    expect(found?.outcomes.map(({ kind }) => kind)).toEqual(['click', 'order']);
  });

  it('that name several searches, written together, hold by what each of these showed', async () => {
    search({ searchId: 's-1', shown: ['a'] });
    search({ searchId: 's-2', shown: ['b'] });
    const named = { isProven: false, shoppers: [] };
    for (const searchId of ['s-1', 's-2']) {
      click({ ...named, searchId, product: 'a' });
      click({ ...named, searchId, product: 'b' });
    }
    expect(await followed()).toEqual({ 's-1': ['click a'], 's-2': ['click b'] });
  });

  it('of a user follow from what their device clicked', async () => {
    search();
    click({ shoppers: ['d:phone'] });
    cart({ shoppers: ['u:ana', 'd:phone'] });
    expect(await followed()).toEqual({ 'search-1': ['click a', 'cart a'] });
  });

  it('follow from no click that is too old, and from no cart', async () => {
    search();
    click({ at: SEARCHED_AT });
    cart({ at: SEARCHED_AT + 6 * DAY });
    order({ at: SEARCHED_AT + 7 * DAY });
    order({ at: SEARCHED_AT + 7 * DAY + 1, order: 'too-late' });
    const [found] = await all();
    expect(found?.outcomes.map(({ kind, order: id }) => id ?? kind)).toEqual(['click', 'cart', 'order-1']);
  });

  it('that an event names a search for hold where that search showed the product', async () => {
    search();
    const named = { isProven: false, searchId: 'search-1' };
    click({ ...named, product: 'b' });
    click({ ...named, product: 'not-shown' });
    click({ ...named, product: 'b', searchId: 'made-up', shoppers: ['u:eva'] });
    cart({ product: 'b', searchId: 'made-up' });
    await log.flush();
    order({ product: 'c', searchId: 'search-1', shoppers: [] });
    expect(await followed()).toEqual({ 'search-1': ['click b', 'cart b', 'order c'] });
  });

  it('of nobody and of no search are none', async () => {
    search();
    const before = log.waiting;
    click({ isProven: false, searchId: null });
    cart({ shoppers: [] });
    expect(log.waiting).toBe(before);
  });

  it('of an order that comes again with keys are what they say', async () => {
    search();
    click();
    order({ micros: 999_000_000 });
    await log.flush();
    order({ micros: 100_000_000 });
    expect((await all())[0]?.outcomes.at(-1)).toMatchObject({ kind: 'order', micros: 100_000_000 });
  });
}
