import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { PastProfiles } from '../../../src/behaviour/profiles/past-profiles';
import { type ShopperKey, userKey } from '../../../src/behaviour/shoppers/shopper';
import {
  CompiledTemplate,
  templateBodySchema,
  templateDocument,
} from '../../../src/ranking/template/template-document';
import { SearchLog } from '../../../src/search/log/search-log';
import { PastOrders } from '../../../src/search/replay/past-orders';
import { StoresService } from '../../../src/stores/stores.service';
import { aClick, aLoggedSearch } from '../../builders/a-logged-search';
import { aShop, CALMA, VELOZ } from '../../builders/a-shop';
import { Dice } from '../../support/dice';
import { describeModes } from '../../support/modes';
import { randomTemplate } from '../../support/random-template';
import { type Json, must, type Reply, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const DAY = 86_400_000;
const SEED = 20260301;
const SHOWN = 30;
/** Of a replay that is cancelled. */
const SEARCHES = 80;
/** A replay says how far it is after so many. */
const TOLD_AFTER = 50;
const WHOLE_TIME = { from: '2026-01-01', to: '2026-12-31' };

interface Report extends Json {
  searches: { used: number; left: Json };
  ndcg: { current: number; candidate: number };
  loss: number;
}

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja', { settings: { requireReplay: true } });
    await loja.putMany(aShop());
    await loja.buy({ userId: 'ana' }, VELOZ.slice(0, 4));
    await loja.buy({ userId: 'bruno' }, CALMA.slice(0, 4));
    service.clock.advance(DAY);
  });
  afterAll(() => service.close());

  const own = <T>(type: abstract new (...args: never[]) => T): T =>
    service.app.get<T>(type as never, { strict: false });
  const templates = (method: string, path: string, body?: unknown) =>
    loja.admin({ method, path: `/templates${path}`, ...(body === undefined ? {} : { body }) });
  const put = (name: string, body: Json) => templates('PUT', `/${name}`, body).then((reply) => must(reply, 200));
  const activate = (name: string, body: Json = {}) => templates('POST', `/${name}/activate`, body);
  async function replay(name: string): Promise<Report> {
    const { jobId } = must(await templates('POST', `/${name}/replay`, WHOLE_TIME), 202);
    return (await loja.completed(String(jobId)))['result'] as Report;
  }
  async function pastOrder(
    document: Json,
    shopper: ShopperKey | null,
    search: { at: number; terms: string; source?: string },
  ) {
    const store = own(StoresService).byApiKey('loja');
    if (!store) throw new Error('The store is not there');
    const past = await own(PastProfiles).of(store, shopper);
    const template = new CompiledTemplate(templateDocument(templateBodySchema.parse(document)));
    const asked = { query: search.terms, filters: [], source: search.source ?? '', salesChannel: null };
    return (await own(PastOrders).of(store, asked, { template, moment: past(search.at) })).products;
  }

  test.each([0, 1, 2, 3, 4, 5])(
    'replay, preview, explanation and serving have the same order with template %i',
    async (index) => {
      const dice = new Dice(SEED + index);
      const name = `random-${index}`;
      const body = randomTemplate(name, () => dice.below(1_000_000) / 1_000_000);
      await put(name, body);
      const terms = dice.of(['tênis', 'tênis corrida', 'veloz', 'luminária', 'correr']);
      const source = dice.of([undefined, 'app']);
      const asked = { terms, users: ['ana', 'bruno'], limit: SHOWN, ...(source ? { source } : {}) };
      const { shoppers } = must(await templates('POST', `/${name}/preview`, asked), 200) as {
        shoppers: { userId: string | null; candidate: { id: string }[] }[];
      };
      must(await activate(name, { force: true }), 200);
      for (const { userId, candidate } of shoppers) {
        const query = { terms, source, resultsPerPage: SHOWN, userId: userId ?? undefined };
        const { products } = await loja.search({ ...query, explain: true });
        const served = await loja.order(query);
        const at = service.clock.now();
        const shopper = userId === null ? null : userKey(userId);
        expect(products.map(({ id }) => id)).toEqual(served);
        expect(candidate.map(({ id }) => id)).toEqual(served);
        expect(await pastOrder(body, shopper, { at, terms, ...(source ? { source } : {}) })).toEqual(served);
      }
      must(await templates('POST', '/rollback'), 200);
    },
  );

  test('a search is ranked as it was then, whatever the shopper did since', async () => {
    const at = service.clock.now();
    const query = { terms: 'tênis', userId: 'carla', resultsPerPage: SHOWN };
    await loja.event('product', { userId: 'carla', pid: VELOZ[2] });
    const then = await loja.order(query);
    service.clock.advance(DAY);
    await loja.buy({ userId: 'carla' }, CALMA.slice(0, 6));
    const now = await loja.order(query);
    expect(now).not.toEqual(then);
    expect(await pastOrder({}, 'u:carla', { at, terms: 'tênis' })).toEqual(then);
    expect(await pastOrder({}, 'u:carla', { at: service.clock.now(), terms: 'tênis' })).toEqual(now);
    expect(await pastOrder({}, 'u:carla', { at: at - 1, terms: 'tênis' })).toEqual(
      await pastOrder({}, null, { at, terms: 'tênis' }),
    );
  });

  test('a template that keeps what shoppers took may serve, one that loses it may not, and none without a replay', async () => {
    for (const [userId, brand] of [
      ['ana', 'veloz'],
      ['bruno', 'calma'],
      ['dora', 'luz'],
    ] as const) {
      service.clock.advance(60_000);
      const { products } = await loja.search({ terms: 'tênis', userId, resultsPerPage: 24 });
      const clicked = products.find(({ id }) => id.startsWith(brand));
      service.clock.advance(5000);
      if (clicked) must(await loja.send({ path: `/engage${String((clicked as Json)['clickUrl'])}` }), 204);
    }
    await own(SearchLog).flush();
    await put('same', { note: 'ranks as what serves' });
    await put('nobody', { strength: 0 });
    const unproven = await activate('same');
    expect(unproven).toMatchObject({ status: 409, json: { error: 'not_replayed' } });
    expect(String(unproven.json['message'])).toContain('has not been replayed');
    expect((await templates('GET', '/same/replay')).status).toBe(404);

    const same = await replay('same');
    expect(same).toMatchObject({ template: { name: 'same', version: 1 }, loss: 0, overlap: 1, changed: 0 });
    expect(same.searches.used).toBe(2);
    expect(same.searches.left['no_outcome']).toBeGreaterThan(0);
    expect(same.ndcg.current).toBe(1);
    expect(must(await templates('GET', '/same/replay'), 200)).toEqual(same);

    const nobody = await replay('nobody');
    expect(nobody.loss).toBeGreaterThan(0.02);
    const worse = await activate('nobody');
    expect(worse).toMatchObject({ status: 409, json: { error: 'not_replayed' } });
    expect(String(worse.json['message'])).toMatch(/loses \d+\.\d% of nDCG@10/);
    must(await activate('same'), 200);
    must(await activate('nobody', { force: true }), 200);
    await put('same', { note: 'another version' });
    expect((await activate('same')).status).toBe(409);
  });

  test('a replay tells how far it is, and one that is cancelled ends at once and proves nothing', async () => {
    const { id: store = '' } = own(StoresService).byApiKey('loja') ?? {};
    const at = Date.UTC(2027, 5, 1);
    for (let number = 0; number < SEARCHES; number += 1) {
      const search = { store, searchId: `told-${number}`, at: at + number, shown: ['veloz-01'], shopper: null };
      own(SearchLog).noteSearch(aLoggedSearch(search));
      own(SearchLog).noteOutcome(
        aClick({ store, searchId: search.searchId, at: at + number, product: 'veloz-01', shoppers: [] }),
      );
    }
    await own(SearchLog).flush();
    await put('told', { strength: 50 });
    const orders = own(PastOrders);
    const order = orders.of.bind(orders);
    let asked = 0;
    let go = (): void => undefined;
    const gate = new Promise<void>((open) => (go = open));
    // Each search is ranked twice; the first that comes after the first word of progress waits.
    const held = jest.spyOn(orders, 'of').mockImplementation(async (...search) => {
      asked += 1;
      if (asked > 2 * TOLD_AFTER) await gate;
      return order(...search);
    });
    try {
      const body = { from: '2027-06-01', to: '2027-06-02' };
      const { jobId } = must(await templates('POST', '/told/replay', body), 202);
      const headers = { authorization: `Bearer ${service.token('ops')}` };
      const job = (method = 'GET', step = '') =>
        loja.send({ method, path: `/admin/jobs/${String(jobId)}${step}`, headers });
      const stateOf = ({ json: { state, progress } }: Reply): Json => ({ state, progress });
      const told = { state: 'active', progress: { done: TOLD_AFTER, total: SEARCHES } };
      for (let tries = 0; !isDeepStrictEqual(stateOf(await job()), told) && tries < 500; tries += 1) await wait(20);
      expect(must(await job(), 200)).toMatchObject(told);
      expect(must(await job('POST', '/cancel'), 200)).toMatchObject({ state: 'cancelled' });
      go();
      // Replays come one after the other: once another has ended, this one has.
      held.mockRestore();
      await put('another', {});
      await replay('another');
      expect(must(await job(), 200)).toMatchObject({ state: 'cancelled' });
      expect((await templates('GET', '/told/replay')).status).toBe(404);
      expect(asked).toBeLessThan(2 * SEARCHES);
    } finally {
      go();
      held.mockRestore();
    }
  });

  test('what is asked wrongly is refused and says what is accepted', async () => {
    await put('asked', {});
    const call = async (body: Json) => templates('POST', '/asked/replay', body);
    expect(await call({ from: '2026-01-02', to: '2026-01-01' })).toMatchObject({
      status: 400,
      json: { error: 'invalid_body', details: [{ path: 'from', message: 'has to be before to' }] },
    });
    const wrong = await call({ from: 'yesterday', to: '2026-01-01' });
    expect(wrong).toMatchObject({ status: 400, json: { error: 'invalid_body' } });
    expect(wrong.text).toContain('A day (2026-01-31');
    expect((await call({ ...WHOLE_TIME, version: 9 })).status).toBe(404);
    expect((await templates('POST', '/unheard/replay', WHOLE_TIME)).status).toBe(404);
  });
});
