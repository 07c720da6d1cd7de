import { type AccountBody, type ClaimEnd, type ClaimRequest, emptyAccount, planAccount } from './account-plan';

const request = (claim: string, changes: Partial<ClaimRequest> = {}): ClaimRequest => ({
  claim,
  index: 'i',
  id: claim,
  cost: 333_333,
  day: '2026-01-15',
  at: 1,
  budget: 1_000_000,
  dailyBudget: null,
  ...changes,
});
const after = (before: AccountBody, requests: ClaimRequest[], ended: [string, ClaimEnd][] = []) =>
  planAccount(before, requests, new Map(ended));

describe('the plan of an account', () => {
  it('grants for as long as the budget lasts, to the micro', () => {
    const { body, granted } = after(emptyAccount, [request('a'), request('b'), request('c'), request('d')]);
    expect(granted).toEqual([true, true, true, false]);
    expect(body).toMatchObject({ total: 999_999, days: { '2026-01-15': 999_999 } });
    expect(body.open.map(({ claim }) => claim)).toEqual(['a', 'b', 'c']);
  });

  it('keeps to the budget of each day', () => {
    const daily = { budget: 10_000_000, dailyBudget: 400_000 };
    const requests = [request('a', daily), request('b', daily), request('c', { ...daily, day: '2026-01-16' })];
    expect(after(emptyAccount, requests).granted).toEqual([true, false, true]);
  });

  it('what is settled stays spent, what is released can be spent again', () => {
    const full = after(emptyAccount, [request('a'), request('b'), request('c')]).body;
    const { body, granted } = after(
      full,
      [request('d'), request('e')],
      [
        ['a', 'settled'],
        ['b', 'released'],
      ],
    );
    expect(granted).toEqual([true, false]);
    expect(body.total).toBe(999_999);
    expect(body.open.map(({ claim }) => claim)).toEqual(['c', 'd']);
  });

  it('a refusal alone changes nothing that would have to be written', () => {
    const full = after(emptyAccount, [request('a', { cost: 1_000_000 })]).body;
    expect(after(full, [request('b')])).toEqual({ body: full, granted: [false], changed: false });
  });

  it('forgets days that are over', () => {
    let body = emptyAccount;
    for (const day of ['01', '02', '03', '04', '05', '06']) body = after(body, [request(day, { cost: 1, day })]).body;
    expect(Object.keys(body.days).toSorted()).toEqual(['03', '04', '05', '06']);
    expect(body.total).toBe(6);
  });
});
