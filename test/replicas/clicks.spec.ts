import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { allCards, lonelyClick, openForClicks } from '../support/click-load';
import { describeModes, type Place } from '../support/modes';
import { ServiceProcess } from '../support/service-process';
import { type Card, ShowcaseShop } from '../support/showcase-shop';
import { must, patient, type Reply, type Send, StoreClient } from '../support/store-client';

const CLICKS = 2000;
const PRODUCTS = 500;
/** A price that does not divide the budget: 137 clicks leave less than one more would cost. */
const BID = 0.333_333;
const BUDGET = 45.9;
const AFFORDED = 137;
const LONGEST_MS = 300_000;
/** A second is promised; a busy machine may take some more. */
const SOON_MS = 60_000;

describeModes((mode) => {
  /** The embedded service is one process. */
  const sizes = mode.name === 'embedded' ? [1] : [1, 2];

  describe.each(sizes)('%i replicas', (size) => {
    let place: Place;
    let replicas: ServiceProcess[];
    let shops: ShowcaseShop[];

    beforeAll(async () => {
      place = mode.place();
      const env = { ...place.env, TRUST_PROXY: '1' };
      replicas = await Promise.all(Array.from({ length: size }, () => ServiceProcess.start(env)));
      const sends: Send[] = replicas.map((one) => patient(one.send));
      const [first] = replicas as [ServiceProcess];
      const store = await StoreClient.create(sends[0] as Send, first.adminToken(), { apiKey: 'loja' });
      shops = sends.map((send) => new ShowcaseShop(store.through(send)));
      await openForClicks(shops[0] as ShowcaseShop, PRODUCTS, { bid: BID, budget: 1000 });
    }, LONGEST_MS);
    afterAll(async () => {
      await Promise.all(replicas.map((one) => one.kill()));
      await place.remove();
    });

    const shop = (number = 0): ShowcaseShop => shops[number % shops.length] as ShowcaseShop;

    async function linksFor(clicks: number): Promise<Card[]> {
      const cards: Card[] = [];
      for (let user = 0; cards.length < clicks; user += 1) cards.push(...(await allCards(shop(), `user-${user}`)));
      return cards.slice(0, clicks);
    }

    it(
      'two thousand clicks at once never spend more than is left, and each is kept with its verdict',
      async () => {
        const cards = await linksFor(CLICKS);
        // Every replica has to know of it before the first click.
        const { products } = must(await shop().store.admin({ path: '/campaigns/c' }), 200) as { products: string[] };
        await openForClicks(shop(), products.length, { bid: BID, budget: BUDGET });
        await wait(1500);
        const crowds = replicas.map((one) => new ShowcaseShop(shop().store.through(patient(stubborn(one.sendAtOnce)))));
        const replies: Reply[] = await Promise.all(
          cards.map((card, number) => lonelyClick(crowds[number % crowds.length] as ShowcaseShop, card)),
        );
        expect(replies.filter(({ status }) => status !== 302)).toEqual([]);
        const { rows } = await shop().metrics();
        const sum = (name: string): number => rows.reduce((all, { verdicts }) => all + (verdicts[name] ?? 0), 0);
        // One that was answered too late and sent again is there as a duplicate, too.
        expect(sum('valid') + sum('over_budget')).toBe(CLICKS);
        expect(sum('valid')).toBeLessThanOrEqual(AFFORDED);
        expect(sum('valid')).toBeGreaterThan(AFFORDED - 10);
        const spend = rows.reduce((all, row) => all + Math.round(row.spend * 1_000_000), 0);
        expect(spend).toBe(sum('valid') * BID * 1_000_000);
        expect(spend).toBeLessThanOrEqual(BUDGET * 1_000_000);
        const settled = async (): Promise<boolean> => {
          const report = must(await shop().store.admin({ method: 'POST', path: '/metrics/showcase/check' }), 200);
          expect(report['differences']).toEqual([]);
          return report['consistent'] === true;
        };
        const until = performance.now() + 180_000;
        while (!(await settled()) && performance.now() < until) await wait(1000);
        expect(await settled()).toBe(true);
      },
      LONGEST_MS,
    );

    if (size > 1) {
      it('a campaign that is paused through one is soon paused on the other', async () => {
        must(await shop(0).store.admin({ method: 'PUT', path: '/campaigns/q', body: pausable('active') }), 200);
        const shown = async () => (await shop(1).cards()).some(({ id }) => id === 'p0');
        const since = performance.now();
        while (!(await shown()) && performance.now() - since < SOON_MS) await wait(20);
        must(await shop(0).store.admin({ method: 'PUT', path: '/campaigns/q', body: pausable('paused') }), 200);
        const paused = performance.now();
        while ((await shown()) && performance.now() - paused < SOON_MS) await wait(20);
        expect(performance.now() - paused).toBeLessThan(SOON_MS);
      });
    }
  });
});

const pausable = (status: string) => ({
  name: 'Q',
  products: ['p0'],
  placements: ['home'],
  budget: 100,
  bid: 99,
  status,
});

/** Of thousands of connections at once a busy machine turns some away, or answers some too late: browsers try again. */
const stubborn =
  (send: Send): Send =>
  async (call) => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await send(call);
      } catch (error) {
        if (!/ECONNRESET|ECONNREFUSED|ETIMEDOUT|No answer in time/.test(inspect(error)) || tried === 20) throw error;
        await wait(50 * tried);
      }
    }
  };
