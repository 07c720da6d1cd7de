import { describeModes } from '../../support/modes';
import { aCampaign, goods, ShowcaseShop, startShowcase } from '../../support/showcase-shop';
import type { Json } from '../../support/store-client';
import type { WholeApp } from '../../support/whole-app';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const ATTACKER = '203.0.113.7';

describeModes((mode) => {
  let whole: WholeApp;
  let shop: ShowcaseShop;
  let stores = 0;

  beforeAll(async () => {
    ({ whole } = await startShowcase(mode));
  });
  afterAll(() => whole.close());
  beforeEach(async () => {
    shop = new ShowcaseShop(await whole.store(`limites-${(stores += 1)}`));
    await shop.store.putMany(['a', 'b', 'c'].map((id) => goods(id)));
    await shop.campaign('c', aCampaign(['a', 'b', 'c']));
    // Windows begin anew.
    whole.clock.time = Math.ceil((whole.clock.time + 1) / HOUR) * HOUR;
  });

  const configure = (showcase: Json) =>
    shop.store.admin({ method: 'PATCH', path: '', body: { settings: { showcase } } });

  /** How many of so many clicks count, each on a link of its own; `headersOf` may name users and addresses. */
  async function counted(times: number, headersOf: (number: number) => Record<string, string>): Promise<number> {
    let count = 0;
    for (let number = 0; number < times; number += 1) {
      const headers = headersOf(number);
      const user = headers['x-user-id'] ?? `owner-${(stores += 1)}`;
      if (await shop.click((await shop.card({ userId: user })).link, headers)) count += 1;
    }
    return count;
  }
  const from = (address: string, user?: string): Record<string, string> => {
    return { 'x-forwarded-for': address, ...(user === undefined ? {} : { 'x-user-id': user }) };
  };
  const verdicts = async (): Promise<Record<string, number>> => {
    const all: Record<string, number> = {};
    for (const row of (await shop.metrics()).rows) {
      for (const [name, count] of Object.entries(row.verdicts)) all[name] = (all[name] ?? 0) + count;
    }
    return all;
  };

  it('one address clicks no budget empty, whatever users it makes up', async () => {
    expect(await counted(70, (number) => from(ATTACKER, `made-up-${number}`))).toBe(30);
    expect(await counted(40, (number) => from('2001:db8:1:2::7', `made-up-${number}`))).toBe(30);
    // The subscriber owns the whole /64.
    expect(await counted(5, (number) => from(`2001:db8:1:2::${number + 10}`))).toBe(0);
    expect(await counted(3, (number) => from(`2001:db8:1:3::${number}`))).toBe(3);
    expect(await verdicts()).toEqual({ valid: 63, burst: 55 });
  });

  it('counts so many clicks a minute from one address', async () => {
    await configure({ clicksPerMinute: 5, addressClicks: 1000 });
    expect(await counted(9, (number) => from(ATTACKER, `user-${number}`))).toBe(5);
    whole.clock.advance(MINUTE);
    expect(await counted(9, (number) => from(ATTACKER, `user-${number}`))).toBe(5);
  });

  it('counts so many shoppers an hour from one address, and those again', async () => {
    await configure({ usersPerHour: 4, addressClicks: 1000 });
    expect(await counted(9, (number) => from(ATTACKER, `user-${number}`))).toBe(4);
    expect(await counted(4, (number) => from(ATTACKER, `user-${number}`))).toBe(4);
    expect(await counted(4, (number) => from('203.0.113.8', `user-${number}`))).toBe(4);
    whole.clock.advance(HOUR);
    expect(await counted(1, () => from(ATTACKER, 'user-8'))).toBe(1);
  });

  it('counts a share of a campaign’s clicks in an hour from one address, and a few in any case', async () => {
    await configure({ addressShare: 0.25, addressClicks: 3 });
    expect(await counted(6, () => from(ATTACKER))).toBe(3);
    expect(await counted(27, (number) => from(`198.51.100.${number}`))).toBe(27);
    expect(await counted(10, () => from(ATTACKER))).toBe(6);
  });

  it('of what is not billed the share counts nothing', async () => {
    await configure({ addressClicks: 2 });
    const { link } = await shop.card({ userId: 'ana' });
    for (let times = 0; times < 8; times += 1) await shop.click(link, from(ATTACKER));
    expect(await verdicts()).toEqual({ valid: 1, duplicate: 7 });
    expect(await counted(2, () => from(ATTACKER))).toBe(1);
  });

  it('behind a named address it counts by user', async () => {
    await configure({ sharedAddresses: ['203.0.113.0/24', '2001:db8::/32'], clicksPerMinute: 3, addressClicks: 2 });
    expect(await counted(40, (number) => from(ATTACKER, `user-${number}`))).toBe(40);
    expect(await counted(6, () => from(ATTACKER, 'fast'))).toBe(3);
    expect(await counted(40, (number) => from('2001:db8:1:2::7', `user-${number}`))).toBe(40);
    expect(await counted(40, (number) => from('198.51.100.7', `user-${number}`))).toBe(3);
    // Names cost nothing there, either: of the twentyfold limit 43 are gone.
    expect(await counted(40, (number) => from(ATTACKER, `more-${number}`))).toBe(17);
  });

  it('with the store’s keys nothing is limited', async () => {
    await configure({ clicksPerMinute: 1, usersPerHour: 1, addressClicks: 1 });
    const vouched = (number: number) => ({ ...from(ATTACKER, `user-${number}`), ...shop.store.headers });
    expect(await counted(10, vouched)).toBe(10);
  });

  it.each([
    ['no address', { sharedAddresses: ['here'] }],
    ['a network that is none', { sharedAddresses: ['203.0.113.0/33'] }],
    ['a share above one', { addressShare: 1.5 }],
    ['no click at all', { addressClicks: 0 }],
    ['no user at all', { usersPerHour: 0 }],
    ['a limit that does not exist', { clicksPerHour: 1 }],
  ])('refuses settings with %s', async (_what, showcase) => {
    expect((await configure(showcase)).status).toBe(400);
  });
});
