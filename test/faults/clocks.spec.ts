import { aShop, CALMA, meanPlace, VELOZ } from '../builders/a-shop';
import { inspect, tokenOf } from '../support/inspector';
import { describeModes, type Place } from '../support/modes';
import { aCampaign, ShowcaseShop } from '../support/showcase-shop';
import { type Json, must, patient, QUERIES, type Reply, type StoreClient } from '../support/store-client';
import { passInRedis } from '../support/stored';
import { startWholeApp, type WholeApp } from '../support/whole-app';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const FAILURES_PER_MINUTE = 20;

jest.setTimeout(240_000);

describeModes((mode) => {
  describe.each([
    ['back', -HOUR],
    ['forward', HOUR],
  ])('a clock that steps an hour %s', (_way, step) => {
    let place: Place;
    let whole: WholeApp;
    let store: StoreClient;
    let address = 0;

    beforeAll(async () => {
      place = mode.place();
      whole = await startWholeApp(mode, { place });
      store = (await whole.store('loja')).through(patient(whole.send));
      await store.putMany(aShop());
    });
    afterAll(async () => {
      await whole.close();
      await place.remove();
    });
    beforeEach(() => void (address += 1));

    const wrongSecret = (): Promise<Reply> => {
      const headers = { ...store.headers, 'x-secret-key': 'wrong', 'x-forwarded-for': `203.0.113.${address}` };
      return whole.send({ path: QUERIES, query: { terms: 'x' }, headers });
    };
    const useUp = async (): Promise<void> => {
      for (let times = 0; times < FAILURES_PER_MINUTE; times += 1) expect((await wrongSecret()).status).toBe(401);
      expect((await wrongSecret()).status).toBe(429);
    };
    /** Redis counts the minute by its own clock, which no test can move: what expires there is told that it passed. */
    const minuteOfRedis = async (): Promise<void> => {
      const { REDIS_URL = '', INDEX_PREFIX = '' } = place.env;
      expect(await passInRedis(REDIS_URL, `${INDEX_PREFIX}:window:*`, MINUTE)).toBeGreaterThan(0);
    };
    const likes = async (userId: string, pids: readonly string[]): Promise<void> => {
      for (const pid of pids) await store.event('cart', { userId, items: [{ pid, quantity: 1 }] });
    };
    const restart = async (): Promise<void> => {
      const { time } = whole.clock;
      await whole.close();
      whole = await startWholeApp(mode, { place });
      whole.clock.time = time;
      store = store.through(patient(whole.send));
    };
    const prefers = async (userId: string): Promise<'veloz' | 'calma'> => {
      const order = await store.order({ terms: 'tênis', userId });
      return meanPlace(order, 'veloz') < meanPlace(order, 'calma') ? 'veloz' : 'calma';
    };

    it('locks a limit for no longer than its minute', async () => {
      await useUp();
      whole.clock.advance(step);
      const reply = await wrongSecret();
      expect([401, 429]).toContain(reply.status);
      if (reply.status === 429) expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60);
      if (mode.name === 'production' && step < 0) await minuteOfRedis();
      whole.clock.advance(MINUTE);
      expect((await wrongSecret()).status).toBe(401);
      whole.clock.advance(-step - MINUTE);
    });

    it('lets what shoppers do count at once, in this process and in one that is started then; nothing is lost', async () => {
      await likes('ana', VELOZ.slice(0, 3));
      expect(await prefers('ana')).toBe('veloz');
      whole.clock.advance(step);
      await likes('ana', CALMA.slice(0, 9));
      expect(await prefers('ana')).toBe('calma');

      await restart();
      expect(await prefers('ana')).toBe('calma');
      await likes('ana', VELOZ.slice(0, 12));
      await likes('ana', VELOZ.slice(0, 12));
      expect(await prefers('ana')).toBe('veloz');
      const events = (await store.exported('ana')).filter(({ body }) => (body as Json | undefined)?.['items']);
      // The same content is a repeat only within seconds.
      expect(events.length).toBeGreaterThanOrEqual(3 + 9 + 12);
      whole.clock.advance(-step);
      expect(await prefers('ana')).toBe('veloz');
    });

    it('leaves no vector that new events are too old for', async () => {
      await likes('caio', VELOZ.slice(0, 3));
      whole.clock.advance(Math.max(step, 0) + 10 * MINUTE);
      await store.rebuild();
      whole.clock.advance(-Math.abs(step) - 10 * MINUTE);
      await restart();
      await likes('caio', CALMA.slice(0, 9));
      expect(await prefers('caio')).toBe('calma');
      whole.clock.advance(Math.max(-step, 0));
      expect(await prefers('caio')).toBe('calma');
    });

    it('leaves products, links and tokens what they were', async () => {
      const shop = new ShowcaseShop(store);
      await shop.campaign('c', aCampaign(VELOZ));
      const card = await shop.card({ userId: 'bia' });
      const token = await tokenOf(store);
      const first = await store.put({ ...aShop()[0], id: 'neu', name: 'Primeiro' });
      whole.clock.advance(step);
      const second = await store.put({ ...aShop()[0], id: 'neu', name: 'Segundo' });
      expect(second.version).toBeGreaterThan(first.version);
      expect(await shop.click(card.link)).toBe(true);
      // An hour is as long as such a token lives.
      expect((await inspect(store, token, '/product/neu')).status).toBe(step < 0 ? 200 : 401);
      expect((await inspect(store, await tokenOf(store), '/product/neu')).json).toMatchObject({ name: 'Segundo' });
      must(await store.admin({ path: '' }), 200);
      whole.clock.advance(-step);
    });
  });
});
