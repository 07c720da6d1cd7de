import { setTimeout as wait } from 'node:timers/promises';
import { EventIntake } from '../../../src/behaviour/events/event-intake';
import { EventLog } from '../../../src/behaviour/events/event-log';
import { ClickLedger } from '../../../src/showcase/ledger/click-ledger';
import { describeModes } from '../../support/modes';
import { must } from '../../support/store-client';
import { aCampaign, goods, ShowcaseShop, startShowcase } from '../../support/showcase-shop';
import type { WholeApp } from '../../support/whole-app';

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const MINUTE = 60_000;

describeModes((mode) => {
  let whole: WholeApp;
  let shop: ShowcaseShop;
  let stores = 0;

  beforeAll(async () => {
    ({ whole } = await startShowcase(mode));
  });
  afterAll(() => whole.close());
  afterEach(() => jest.restoreAllMocks());
  beforeEach(async () => {
    shop = new ShowcaseShop(await whole.store(`cliques-${(stores += 1)}`));
    await shop.store.putMany([goods('a'), goods('b')]);
    await shop.campaign('c', aCampaign(['a', 'b']));
    // Windows of bursts begin anew.
    whole.clock.advance(2 * MINUTE);
  });

  const verdicts = async (): Promise<Record<string, number>> => {
    const { rows } = await shop.metrics();
    const all: Record<string, number> = {};
    for (const row of rows)
      for (const [name, count] of Object.entries(row.verdicts)) all[name] = (all[name] ?? 0) + count;
    return all;
  };

  /** The ledger begins with the next click when an event was stored. */
  const holdLedger = (): void => {
    const ledger = whole.app.get(ClickLedger);
    const record = ledger.record.bind(ledger);
    const told = new Promise<void>((resolve) => whole.app.get(EventIntake).onStored(() => resolve()));
    jest.spyOn(ledger, 'record').mockImplementation((click) => told.then(() => record(click)));
  };
  const clicksOf = async (userId: string): Promise<Record<string, unknown>[]> =>
    (await shop.store.exported(userId)).filter(({ type, name }) => type === 'event' && name === 'click');

  describe('a click', () => {
    it('counts once for its shopper in half an hour, and always leads on', async () => {
      const { link } = await shop.card({ userId: 'ana' });
      expect([await shop.click(link), await shop.click(link)]).toEqual([true, false]);
      expect((await shop.follow(link)).status).toBe(302);
      expect(await shop.click(link, { 'x-user-id': 'bia' })).toBe(true);
      whole.clock.advance(31 * MINUTE);
      expect(await shop.click(link)).toBe(true);
      expect(await verdicts()).toEqual({ valid: 3, duplicate: 2 });
    });

    it.each([
      ['a crawler', { 'user-agent': BOT }, 'bot'],
      ['an HTTP library', { 'user-agent': 'okhttp/4.9.3' }, 'bot'],
      ['a crawler that names a user', { 'user-agent': BOT, 'x-user-id': 'ana' }, 'bot'],
      ['a page loaded ahead of time', { 'sec-purpose': 'prefetch;prerender' }, 'prefetch'],
      ['an old browser that does so', { 'x-moz': 'prefetch' }, 'prefetch'],
    ] as [string, Record<string, string>, string][])(
      'of %s leads on and does not count',
      async (_who, headers, verdict) => {
        const { link } = await shop.card({ userId: 'ana' });
        expect((await shop.follow(link, headers)).status).toBe(302);
        expect(await verdicts()).toEqual({ [verdict]: 1 });
        expect(await shop.click(link)).toBe(true);
      },
    );

    it('asked for its headers alone does not count', async () => {
      const { link } = await shop.card();
      const reply = await shop.follow(link, {}, 'HEAD');
      expect([reply.status, reply.headers['location'], reply.text]).toEqual([302, 'https://loja.example/p/a', '']);
      expect(await verdicts()).toEqual({ prefetch: 1 });
    });

    it('of a backend that names its user counts, whatever library it calls with', async () => {
      const { link } = await shop.card({ userId: 'ana' });
      expect(await shop.click(link, { 'user-agent': 'axios/1.7.2', 'x-user-id': 'ana' })).toBe(true);
    });

    it('in a burst from one address leads on and does not count', async () => {
      await shop.store.admin({ method: 'PATCH', path: '', body: { settings: { showcase: { clicksPerMinute: 5 } } } });
      const counted: boolean[] = [];
      for (let number = 0; number < 8; number += 1) {
        const { link } = await shop.card({ userId: `u-${number}` });
        counted.push(await shop.click(link, { 'x-forwarded-for': '203.0.113.7' }));
      }
      expect(counted).toEqual([true, true, true, true, true, false, false, false]);
      expect([await clicksOf('u-4'), await clicksOf('u-5')].map(({ length }) => length)).toEqual([1, 0]);
      const { link } = await shop.card({ userId: 'late' });
      expect(await shop.click(link, { 'x-forwarded-for': '203.0.113.8' })).toBe(true);
      whole.clock.advance(MINUTE + 1);
      expect(await shop.click((await shop.card({ userId: 'u-9' })).link, { 'x-forwarded-for': '203.0.113.7' })).toBe(
        true,
      );
    });

    it('by others than its own shopper counts twenty times, unless the store’s keys come along', async () => {
      const { link } = await shop.card({ userId: 'ana' });
      const counted: boolean[] = [];
      for (let number = 0; number < 22; number += 1)
        counted.push(await shop.click(link, { 'x-user-id': `other-${number}` }));
      expect(counted.filter((one) => one)).toHaveLength(20);
      expect(await verdicts()).toEqual({ valid: 20, shared: 2 });
      expect(await shop.click(link, { 'x-user-id': 'other-99', ...shop.store.headers })).toBe(true);
      const strange = { 'x-api-key': shop.store.keys.apiKey, 'x-secret-key': 'wrong' };
      expect(await shop.click(link, { 'x-user-id': 'other-98', ...strange })).toBe(false);
      expect(await shop.click(link)).toBe(true);
    });

    it('beyond a budget is free', async () => {
      await shop.campaign('c', aCampaign(['a', 'b'], { budget: 3.1, bid: 1 }));
      const links: string[] = [];
      for (let number = 0; number < 5; number += 1) links.push((await shop.card({ userId: `u-${number}` })).link);
      const counted: boolean[] = [];
      for (const link of links) counted.push(await shop.click(link));
      expect(counted).toEqual([true, true, true, false, false]);
      expect(await verdicts()).toEqual({ valid: 3, over_budget: 2 });
      const [row] = (await shop.metrics()).rows;
      expect(row).toMatchObject({ clicks: 3, spend: 3, gross: { clicks: 5 } });
    });

    it('beyond the budget of a day of the store’s time zone is free until the next', async () => {
      await shop.campaign('c', aCampaign(['a', 'b'], { dailyBudget: 1, bid: 1 }));
      const first = (await shop.card({ userId: 'u-1' })).link;
      const second = (await shop.card({ userId: 'u-2' })).link;
      expect([await shop.click(first), await shop.click(second)]).toEqual([true, false]);
      // 12:00 UTC is 09:00 in São Paulo: its day ends 15 hours later.
      const start = whole.clock.time;
      whole.clock.time = Date.UTC(2026, 0, 16, 2, 59);
      if (whole.clock.time < start) whole.clock.time = start;
      const midnight = Math.ceil((whole.clock.time - 3 * 60 * MINUTE) / 86_400_000) * 86_400_000 + 3 * 60 * MINUTE;
      whole.clock.time = midnight - MINUTE;
      expect(await shop.click((await shop.widgets({ userId: 'u-3' }))[0]?.data[0]?.link ?? second)).toBe(false);
      whole.clock.time = midnight + MINUTE;
      // Which campaigns have money is known within a second.
      const counts = async (userId: string): Promise<boolean> => {
        const [card] = await shop.cards({ userId });
        return card !== undefined && shop.click(card.link);
      };
      let counted = false;
      for (let tries = 4; !counted && tries < 50; tries += 1) {
        await wait(200);
        counted = await counts(`u-${tries}`);
      }
      expect(counted).toBe(true);
      expect((await shop.metrics()).rows.map(({ clicks }) => clicks)).toEqual([1, 1]);
    });

    it('on what is paused meanwhile leads on and costs nothing', async () => {
      const { link } = await shop.card({ userId: 'ana' });
      await shop.campaign('c', aCampaign(['a', 'b'], { status: 'paused' }));
      expect(await shop.click(link)).toBe(false);
      expect(await clicksOf('ana')).toHaveLength(0);
      expect(await verdicts()).toEqual({ expired: 1 });
    });

    it('changed by somebody is kept as a forgery', async () => {
      const { link } = await shop.card();
      const bad = `${link.slice(0, -3)}${link.endsWith('AAA') ? 'BBB' : 'AAA'}`;
      expect((await shop.follow(bad)).status).toBe(400);
      expect(await verdicts()).toEqual({ forged: 1 });
    });

    it('is an event: the shopper’s next search knows of it', async () => {
      const before = await shop.store.order({ terms: 'tenis', userId: 'ana' });
      const target = before.at(-1) ?? '';
      await shop.campaign('c', aCampaign([target]));
      await shop.click((await shop.card({ userId: 'ana' })).link);
      expect(await shop.store.order({ terms: 'tenis', userId: 'ana' })).toEqual([
        target,
        ...before.filter((id) => id !== target),
      ]);
      expect(await clicksOf('ana')).toMatchObject([
        { name: 'click', body: { pid: target, campaign: 'c', placement: 'home' } },
      ]);
    });

    it('is written to the log and to the ledger at the same time', async () => {
      const { link } = await shop.card({ userId: 'ana' });
      holdLedger();
      expect(await shop.click(link)).toBe(true);
      expect(await verdicts()).toEqual({ valid: 1 });
    });

    it('of another user is so, too, where the store’s keys come along', async () => {
      const { link } = await shop.card({ userId: 'ana' });
      holdLedger();
      expect(await shop.click(link, { 'x-user-id': 'bia', ...shop.store.headers })).toBe(true);
      expect([await clicksOf('bia'), await clicksOf('ana')].map(({ length }) => length)).toEqual([1, 0]);
    });

    it('sent twice at once is one event and counts once', async () => {
      await shop.store.event('product', { pid: 'b', deviceId: 'd1' });
      const { link } = await shop.card({ userId: 'ana', deviceId: 'd1' });
      const counted = await Promise.all([1, 2, 3, 4].map(() => shop.click(link)));
      expect(counted.filter((one) => one)).toHaveLength(1);
      expect(await clicksOf('ana')).toHaveLength(1);
      expect(await verdicts()).toEqual({ valid: 1, duplicate: 3 });
    });

    it('that the log did not take is not answered, and counts once when it is sent again', async () => {
      const { link } = await shop.card({ userId: 'ana' });
      const failing = jest.spyOn(whole.app.get(EventLog), 'append').mockRejectedValue(new Error('The disk is full'));
      expect((await shop.follow(link)).status).toBe(500);
      failing.mockRestore();
      expect(await clicksOf('ana')).toHaveLength(0);
      expect(await shop.click(link)).toBe(false);
      expect(await clicksOf('ana')).toHaveLength(1);
      expect(await verdicts()).toEqual({ valid: 1, duplicate: 1 });
    });

    it('that the ledger did not take is not answered, and counts once when it is sent again', async () => {
      const { link } = await shop.card({ userId: 'ana' });
      const failing = jest.spyOn(whole.app.get(ClickLedger), 'record').mockRejectedValue(new Error('The disk is full'));
      expect((await shop.follow(link)).status).toBe(500);
      failing.mockRestore();
      // The answer waited for the event.
      expect(await clicksOf('ana')).toHaveLength(1);
      expect(await shop.click(link)).toBe(true);
      expect(await clicksOf('ana')).toHaveLength(1);
      expect(await verdicts()).toEqual({ valid: 1 });
    });

    it('that is one of too many by others than its own shopper teaches nothing', async () => {
      const { link } = await shop.card({ userId: 'ana' });
      for (let number = 0; number < 21; number += 1) await shop.click(link, { 'x-user-id': `other-${number}` });
      expect([await clicksOf('other-19'), await clicksOf('other-20')].map(({ length }) => length)).toEqual([1, 0]);
    });

    it('of a bot teaches nothing', async () => {
      await shop.follow((await shop.card({ userId: 'ana' })).link, { 'user-agent': BOT });
      expect((await shop.store.vector('users', 'ana'))['weights']).toEqual([]);
    });
  });

  describe('a view', () => {
    it('of a card and of a widget counts once for its shopper in half an hour', async () => {
      const [widget] = await shop.widgets({ userId: 'ana', widgets: 'native,1_all' });
      const images = [widget?.px ?? '', widget?.data[0]?.px ?? ''];
      for (const image of [...images, ...images]) {
        const reply = await shop.follow(image);
        expect([reply.status, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
          200,
          'image/gif',
          'no-store',
        ]);
        expect(reply.text.slice(0, 6)).toBe('GIF89a');
      }
      await shop.follow(images[1] ?? '', { 'user-agent': BOT });
      const { rows, widgets } = await shop.metrics();
      expect(rows).toMatchObject([
        { campaign: 'c', product: 'a', placement: 'home', views: 1, gross: { views: 3, clicks: 0 } },
      ]);
      expect(widgets).toMatchObject([{ placement: 'home', views: 1, gross: 2 }]);
    });

    it('with a strange hash is refused', async () => {
      expect((await shop.follow('http://x/v.gif?hash=nonsense')).json).toMatchObject({ error: 'invalid_parameter' });
    });
  });

  it('tells operators how many clicks and views there were of each verdict', async () => {
    await shop.click((await shop.card()).link);
    const { text } = await whole.send({ path: '/metrics' });
    expect(text).toMatch(/showcase_hits_total\{type="click",verdict="valid"\} \d+/);
    expect(must(await whole.send({ path: '/health/ready' }), 200)).toMatchObject({ status: 'ready' });
  });
});
