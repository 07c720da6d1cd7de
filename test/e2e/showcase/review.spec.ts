import { JobQueue } from '../../../src/jobs/job-queue';
import { describeModes } from '../../support/modes';
import { aCampaign, goods, type MetricsRow, ShowcaseShop, startShowcase } from '../../support/showcase-shop';
import { type Json, must, patient } from '../../support/store-client';
import type { WholeApp } from '../../support/whole-app';

const ATTACKER = '203.0.113.7';
const DAY = 86_400_000;

describeModes((mode) => {
  let whole: WholeApp;
  let shop: ShowcaseShop;
  let stores = 0;

  beforeAll(async () => {
    ({ whole } = await startShowcase(mode));
  });
  afterAll(() => whole.close());
  beforeEach(async () => {
    shop = new ShowcaseShop((await whole.store(`revista-${(stores += 1)}`)).through(patient(whole.send)));
    await shop.store.putMany(['a', 'b'].map((id) => goods(id)));
    await shop.campaign('c', aCampaign(['a', 'b'], { bid: 1, budget: 1000, dailyBudget: 100 }));
    whole.clock.time = Math.ceil((whole.clock.time + 1) / DAY) * DAY + DAY / 2;
  });

  /** What is done once an hour, and may be done meanwhile: only what is found in the end is certain. */
  async function review(): Promise<void> {
    const jobs = whole.app.get(JobQueue);
    const id = await jobs.enqueue({ kind: 'showcase.review', store: '*', key: 'test', payload: null });
    await shop.store.completed(id);
  }
  async function clicks(times: number, address: string, user: (number: number) => string): Promise<void> {
    for (let number = 0; number < times; number += 1) {
      const { link } = await shop.card({ userId: user(number) });
      expect(await shop.click(link, { 'x-forwarded-for': address })).toBe(true);
    }
  }
  const row = async (): Promise<MetricsRow | undefined> => (await shop.metrics()).rows[0];
  const spent = async () => must(await shop.store.admin({ path: '/campaigns/c' }), 200)['spent'] as Json;
  const consistent = async () =>
    must(await shop.store.admin({ method: 'POST', path: '/metrics/showcase/check' }), 200)['consistent'];

  it('credits what no shopper has clicked, with its reason, in the metrics and to the budgets', async () => {
    await clicks(1, '198.51.100.1', () => 'ana');
    await clicks(12, ATTACKER, (number) => `made-up-${number}`);
    expect(await row()).toMatchObject({ gross: { clicks: 13 } });
    await review();
    const due = {
      clicks: 1,
      spend: 1,
      credited: 12,
      gross: { clicks: 13 },
      verdicts: { valid: 1, invalid: 12 },
      invalid: { pace: 12 },
    };
    expect(await row()).toMatchObject(due);
    expect(await spent()).toEqual({ total: 1, today: 1 });
    expect(await consistent()).toBe(true);
    await review();
    expect(await row()).toMatchObject(due);
    const table = await shop.store.admin({ path: '/metrics/showcase', query: { format: 'csv' } });
    const [names = '', values = ''] = table.text.trim().split('\r\n');
    const cell = (name: string) => values.split(',')[names.split(',').indexOf(name)];
    expect(['clicks', 'clicks_invalid', 'spend', 'credited'].map(cell)).toEqual(['1', '12', '1', '12']);
  });

  it('looks at yesterday, too', async () => {
    await clicks(12, ATTACKER, (number) => `made-up-${number}`);
    whole.clock.advance(DAY);
    await review();
    expect(await spent()).toEqual({ total: 0, today: 0 });
  });

  it('leaves alone what the store vouches for, and stores that do not want it', async () => {
    const vouched = shop.store.headers;
    for (let number = 0; number < 12; number += 1) {
      const { link } = await shop.card({ userId: `user-${number}` });
      expect(await shop.click(link, { ...vouched, 'x-user-id': `user-${number}` })).toBe(true);
    }
    await review();
    const settings = { showcase: { creditInvalid: false } };
    must(await shop.store.admin({ method: 'PATCH', path: '', body: { settings } }), 200);
    await clicks(12, ATTACKER, (number) => `made-up-${number}`);
    await review();
    expect(await spent()).toMatchObject({ total: 24 });
  });

  it('buys no click rate: one address moves it by a click a day, and a credited click by none', async () => {
    const order = async () => (await shop.cards({ userId: `reader-${(stores += 1)}` })).map(({ id }) => id);
    // Estimates are made anew while nobody waits.
    const later = async () => {
      whole.clock.advance(600_000);
      await order();
      await new Promise((done) => setTimeout(done, 1000));
      return order();
    };
    const before = await later();
    const target = before.at(-1) ?? '';
    const other = before[0] ?? '';
    for (let number = 0; number < 12; number += 1) {
      const cards = await shop.cards({ userId: `made-up-${number}` });
      const card = cards.find(({ id }) => id === target);
      expect(await shop.click(card?.link ?? '', { 'x-forwarded-for': ATTACKER })).toBe(true);
    }
    // Two shoppers count for more than twelve made up.
    for (const number of [1, 2]) {
      const cards = await shop.cards({ userId: `real-${number}` });
      const card = cards.find(({ id }) => id === other);
      expect(await shop.click(card?.link ?? '', { 'x-forwarded-for': `198.51.100.${number}` })).toBe(true);
    }
    expect(await later()).toEqual(before);
    await review();
    expect(await later()).toEqual(before);
  });

  it('tells operators how many it has found', async () => {
    await clicks(12, ATTACKER, (number) => `made-up-${number}`);
    await review();
    const { text } = await whole.send({ path: '/metrics' });
    expect(text).toMatch(/showcase_invalid_clicks_total\{reason="pace"\} \d+/);
  });
});
