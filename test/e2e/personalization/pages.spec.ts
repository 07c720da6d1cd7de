import { ProfilesService } from '../../../src/behaviour/profiles/profiles.service';
import { SearchEngine } from '../../../src/engine/search-engine';
import { PersonalRanking } from '../../../src/search/sessions/personal-ranking';
import { aShop, CALMA, VELOZ } from '../../builders/a-shop';
import { ENGAGE, QUERIES, type Query, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';
import { describeModes } from '../../support/modes';

const PER_PAGE = 5;
const PAGES = 5;
const TEN_MINUTES = 600_000;

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja');
    await loja.putMany(aShop());
    await loja.buy({ userId: 'ana' }, VELOZ.slice(0, 3));
  });
  afterAll(() => service.close());

  async function page(number: number, query: Query, path = QUERIES): Promise<string[]> {
    return loja.order({ terms: 'tênis corrida', resultsPerPage: PER_PAGE, page: number, ...query }, path);
  }

  async function pages(query: Query, between: (page: number) => Promise<void>, path = QUERIES): Promise<string[]> {
    const seen: string[] = [];
    for (let number = 1; number <= PAGES; number += 1) {
      seen.push(...(await page(number, query, path)));
      await between(number);
    }
    return seen;
  }

  const quietly = (): Promise<void> => Promise.resolve();

  test.each([QUERIES, ENGAGE])(
    'the pages of a query on %s hold every product once, in the order of one long page',
    async (path) => {
      const whole = await loja.order({ terms: 'tênis corrida', userId: 'ana' }, path);
      const paged = await pages({ userId: 'ana' }, quietly, path);
      expect(paged).toEqual(whole);
      expect(new Set(paged).size).toBe(VELOZ.length + CALMA.length);
    },
  );

  test('events that come in between repeat no product and drop none, and page 1 is fresh', async () => {
    const query = { userId: 'elisa' };
    const before = await page(1, query);
    const paged = await pages(query, (number) =>
      loja.event('transaction', {
        ...query,
        id: `elisa-${number}`,
        items: [{ pid: [...CALMA].reverse()[number], quantity: 2 }],
      }),
    );
    expect([...paged].sort()).toEqual([...CALMA, ...VELOZ].sort());
    expect(paged.slice(0, PER_PAGE)).toEqual(before);
    expect(await page(1, query)).not.toEqual(before);
  });

  test('the pages of one shopper are not those of another who asks the same at the same time', async () => {
    await page(1, { userId: 'ana' });
    await page(1, { userId: 'nobody' });
    const second = await page(2, { userId: 'ana' });
    const whole = await loja.order({ terms: 'tênis corrida', userId: 'ana' });
    expect(second).toEqual(whole.slice(PER_PAGE, 2 * PER_PAGE));
  });

  test.each([
    { productFormat: 'compact' },
    { hide: ['filters', 'sort', 'terms'] },
    { source: 'mobile' },
    { allowRedirect: false },
    { showOnlyAvailable: false, salesChannel: 'default' },
    { topsearch: '1', unknown: 'x' },
  ])('a later page that is asked for with %j is the same search', async (other) => {
    const query = { userId: `other-${JSON.stringify(other)}` };
    const before = await page(1, query);
    await loja.buy(query, CALMA.slice(4, 8));
    const after = [before];
    for (let number = 2; number <= PAGES; number += 1) after.push(await page(number, { ...query, ...other }));
    expect(after.flat().sort()).toEqual([...CALMA, ...VELOZ].sort());
  });

  test('what was asked for without products, such as for its filters, is no page that others go on from', async () => {
    const query = { userId: 'without-products' };
    const before = await page(1, query);
    await loja.buy(query, CALMA.slice(4, 8));
    await page(1, { ...query, resultsPerPage: 0 });
    await page(1, { ...query, hide: ['products'] });
    const after = [before];
    for (let number = 2; number <= PAGES; number += 1) after.push(await page(number, query));
    expect(after.flat().sort()).toEqual([...CALMA, ...VELOZ].sort());
  });

  test('ten minutes later a later page ranks with what is known then', async () => {
    const query = { userId: 'fabio' };
    const kept = [...(await page(1, query)), ...(await page(2, query))];
    await loja.buy(query, kept.slice(PER_PAGE, PER_PAGE + 1));
    expect(await page(2, query)).toEqual(kept.slice(PER_PAGE));
    service.clock.advance(TEN_MINUTES + 1000);
    expect(await page(2, query)).not.toEqual(kept.slice(PER_PAGE));
  });

  test('of a shopper who is erased while page 1 is being searched, the pages after it know nothing', async () => {
    const query = { userId: 'hugo', terms: 'tênis corrida', resultsPerPage: PER_PAGE };
    await loja.buy(query, CALMA.slice(0, 3));
    const engine = service.app.get(SearchEngine, { strict: false });
    const search = engine.search.bind(engine);
    const asked = jest.spyOn(engine, 'search').mockImplementationOnce(async (question) => {
      service.clock.advance(1000);
      await loja.erase('hugo');
      return search(question);
    });
    expect((await loja.search(query)).personalization.applied).toBe(true);
    expect(asked).toHaveBeenCalled();
    asked.mockRestore();
    const { personalization } = await loja.search({ ...query, page: 2 });
    expect(personalization).toMatchObject({ applied: false, reason: 'erased' });
  });

  test('of a shopper who is erased while their profile is made, no ranking stays in memory', async () => {
    const query = { userId: 'ines', terms: 'tênis corrida', resultsPerPage: PER_PAGE };
    await loja.buy(query, CALMA.slice(0, 3));
    const profiles = service.app.get(ProfilesService, { strict: false });
    const look = profiles.look.bind(profiles);
    const looked = jest.spyOn(profiles, 'look').mockImplementationOnce(async (store, shopper) => {
      const stored = await look(store, shopper);
      if (!('stamp' in stored)) return stored;
      return {
        ...stored,
        profile: async (template) => {
          const made = await stored.profile(template);
          service.clock.advance(1000);
          await loja.erase('ines');
          return made;
        },
      };
    });
    expect((await loja.search(query)).personalization.applied).toBe(true);
    expect(looked).toHaveBeenCalled();
    looked.mockRestore();
    const ranking = service.app.get(PersonalRanking, { strict: false });
    expect(Array.from(ranking['built'].keys()).filter((key) => key.includes('ines'))).toEqual([]);
  });

  test('links lead from page to page and end where the products end', async () => {
    const seen: string[] = [];
    let { products, pagination } = await loja.search({ terms: 'tênis', resultsPerPage: PER_PAGE, userId: 'ana' });
    expect(pagination.prev).toBeUndefined();
    for (let count = 0; count < PAGES + 1; count += 1) {
      seen.push(...products.map(({ id }) => id));
      if (pagination.next === undefined) break;
      const link = new URL(pagination.next, 'http://vitrine.test');
      ({ products, pagination } = await loja.search(Object.fromEntries(link.searchParams), link.pathname));
    }
    expect(seen.sort()).toEqual([...CALMA, ...VELOZ].sort());
    expect(pagination.last).toContain(`page=${PAGES}`);
  });
});
