import { aShop, CALMA, VELOZ } from '../../builders/a-shop';
import { describeModes } from '../../support/modes';
import { type Json, must, type Query, type SearchReply, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const SHOPPERS = Array.from({ length: 40 }, (_, index) => `shopper-${index}`);
const MIXED = { name: 'flat', share: 100, strength: 0, interleave: true };
const SHOES = VELOZ.length + CALMA.length;

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;
  /** Of the test's own: each has searches of its own. */
  let path: string;
  let tests = 0;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja');
    await loja.putMany(aShop());
    for (const userId of SHOPPERS) await loja.buy({ userId }, VELOZ.slice(0, 4));
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    path = `/experiments/mixed-${(tests += 1)}`;
    await put({ variants: [MIXED] });
  });
  afterEach(async () => {
    must(await loja.admin({ method: 'DELETE', path }), 204);
  });

  const put = async (body: Json): Promise<Json> => must(await loja.admin({ method: 'PUT', path, body }), 200);
  const shown = (query: Query): Promise<SearchReply> => loja.search({ terms: 'tênis', ...query });
  const ids = ({ products }: SearchReply): string[] => products.map(({ id }) => id);
  const listOf = async (userId: string, size = 6): Promise<string[]> => {
    const found: string[] = [];
    for (let page = 1; (page - 1) * size < SHOES; page += 1)
      found.push(...ids(await shown({ userId, page, resultsPerPage: size })));
    return found;
  };
  /** What an order has in the first places, its own and the other's, both not seen before. */
  const isDealt = (list: readonly string[], one: readonly string[], other: readonly string[]): boolean =>
    list.every((id, place) => {
      const before = new Set(list.slice(0, place));
      const next = (order: readonly string[]) => order.find((candidate) => !before.has(candidate));
      return id === next(one) || id === next(other);
    });

  test('a shopper gets one list that is dealt from both rankings, the same one on every page and each time', async () => {
    const first = await shown({ userId: 'shopper-1', resultsPerPage: 6 });
    expect(first.personalization).toMatchObject({ applied: true, template: 'default', variant: 'flat' });
    const list = await listOf('shopper-1');
    expect(list.slice(0, 6)).toEqual(ids(first));
    expect(new Set(list).size).toBe(SHOES);
    expect(await listOf('shopper-1', 10)).toEqual(list);
    expect(ids(await shown({ userId: 'shopper-1', resultsPerPage: 48 }))).toEqual(list);
    // What shoppers ask why of is one ranking: the one that serves.
    const own = ids(await shown({ userId: 'shopper-1', resultsPerPage: 48, explain: true }));
    const everybodys = ids(await shown({ resultsPerPage: 48, personalize: false }));
    expect(own.slice(0, 4).every((id) => VELOZ.includes(id))).toBe(true);
    expect(everybodys.slice(0, 4).every((id) => CALMA.includes(id))).toBe(true);
    expect(isDealt(list, own, everybodys)).toBe(true);
    // Both begin half of the lists.
    const begun = new Set<string | undefined>();
    for (const userId of SHOPPERS) begun.add(ids(await shown({ userId, resultsPerPage: 6 }))[0]);
    expect(begun).toEqual(new Set([own[0], everybodys[0]]));
  });

  test('what a shopper does between two pages changes neither; page 2 alone is dealt, too', async () => {
    const userId = 'restless';
    await loja.buy({ userId }, VELOZ.slice(0, 4));
    const first = ids(await shown({ userId, resultsPerPage: 6 }));
    await loja.buy({ userId }, CALMA.slice(6, 12));
    const second = ids(await shown({ userId, page: 2, resultsPerPage: 6 }));
    expect(first.filter((id) => second.includes(id))).toEqual([]);
    // Somebody who has not searched before: later pages go on with the first one's list.
    await loja.buy({ userId: 'late' }, VELOZ.slice(0, 4));
    const alone = ids(await shown({ userId: 'late', page: 2, resultsPerPage: 6 }));
    expect(alone).toEqual((await listOf('late')).slice(6, 12));
  });

  test('what the store pins stays where it is, and other orders are as they were', async () => {
    const rule = { id: 'first', query: 'tênis', type: 'pin', products: [CALMA[11]!], position: 3 };
    must(await loja.admin({ method: 'PUT', path: '/rules', body: { rules: [rule] } }), 200);
    const list = await listOf('shopper-4');
    expect(list[2]).toBe(CALMA[11]);
    expect(new Set(list).size).toBe(SHOES);
    const cheapest = { sortBy: 'ascPrice', resultsPerPage: 48 };
    expect(ids(await shown({ ...cheapest, userId: 'shopper-4' }))).toEqual(ids(await shown(cheapest)));
    must(await loja.admin({ method: 'PUT', path: '/rules', body: { rules: [] } }), 200);
  });

  test('results say whose picks shoppers chose, by shopper', async () => {
    for (const [index, userId] of SHOPPERS.entries()) {
      const { products } = await shown({ userId, resultsPerPage: 6 });
      const brand = index < 4 ? VELOZ : CALMA;
      const chosen = products.find(({ id }) => brand.includes(id)) as unknown as { clickUrl: string };
      // Twice is once.
      for (let times = 0; times < 2; times += 1)
        must(await service.send({ path: `/engage${chosen.clickUrl}`, query: { userId } }), 204);
    }
    await shown({ userId: 'shopper-5', resultsPerPage: 6 });
    const { groups } = must(await loja.admin({ path: `${path}/results` }), 200) as { groups: Json[] };
    expect(groups).toMatchObject([
      {
        name: 'flat',
        shoppers: SHOPPERS.length,
        interleaving: {
          won: 36,
          lost: 4,
          tied: 1,
          shoppers: 40,
          preference: { difference: expect.closeTo(0.8, 9), isDifferent: true },
        },
      },
    ]);
    const [logged] = (await loja.exported('shopper-6')).filter(({ type }) => type === 'search').toReversed();
    expect(String(logged!['teams'])).toMatch(/^[ab]{6}$/);
  });

  test('mistakes are told: the same ranking twice, a control that is mixed', async () => {
    const mistakes = async (variant: Json): Promise<Json> => {
      const body = { variants: [{ name: 'flat', share: 50, interleave: true, ...variant }] };
      return (await loja.admin({ method: 'PUT', path, body })).json;
    };
    const at = { error: 'invalid_body', details: [{ path: 'variants.0.interleave' }] };
    expect(await mistakes({})).toMatchObject(at);
    expect(await mistakes({ name: 'control' })).toMatchObject(at);
    expect(await mistakes({ strength: 0, interleave: false })).toMatchObject(at);
  });
});
