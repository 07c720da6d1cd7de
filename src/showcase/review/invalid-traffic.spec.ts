import type { NamedInteraction } from '../ledger/click-credits';
import type { StoredInteraction } from '../ledger/click-ledger';
import { findInvalid } from './invalid-traffic';
import { SeenViews } from './seen-views';

const MINUTE = 60_000;
let serial = 0;

/** A click of somebody's own, seen before it was clicked; a test names only what matters to it. */
function aClick(changes: Partial<StoredInteraction> = {}): NamedInteraction {
  serial += 1;
  const interaction: StoredInteraction = {
    store: 'loja',
    type: 'click',
    verdict: 'valid',
    campaign: 'verao',
    product: 'tenis-1',
    placement: 'home',
    // At no pace.
    at: (serial ** 3 * 7919 * 1013) % 86_400_000,
    day: '2026-01-15',
    shopper: `u:${serial}`,
    cost: 1,
    address: `address-${serial}`,
    agent: 'chrome',
    request: `page-${serial}`,
    ...changes,
  };
  return { id: String(serial), issuedAt: 0, interaction };
}
const clicks = (number: number, changes: (index: number) => Partial<StoredInteraction> = () => ({})) =>
  Array.from({ length: number }, (_, index) => aClick(changes(index)));
const viewOf = ({ interaction }: NamedInteraction): StoredInteraction => ({ ...interaction, type: 'view' });

/** How many are found, by reason. `unseen`: clicks without a view. */
function found(crowd: NamedInteraction[], others: NamedInteraction[], { unseen = [] as NamedInteraction[] } = {}) {
  const all = [...others, ...crowd];
  const views = new SeenViews(all);
  const without = new Set(unseen);
  views.add(all.filter((click) => !without.has(click)).map(viewOf));
  const reasons = findInvalid(all, views, { share: 0.1, floor: 20 });
  const counts: Record<string, number> = {};
  for (const reason of reasons.values()) counts[reason] = (counts[reason] ?? 0) + 1;
  const wrong = others.filter(({ id }) => reasons.has(id)).length;
  return { counts, wrong };
}

describe('invalid traffic', () => {
  it('is nothing that shoppers do', () => {
    const household = clicks(12, (index) => ({ address: 'home', at: index ** 2 * 5 * MINUTE }));
    const fan = clicks(12, (index) => ({ shopper: 'u:fan', address: `train-${index}` }));
    expect(found([], [...clicks(300), ...household, ...fan])).toEqual({ counts: {}, wrong: 0 });
  });

  it('is most of a campaign from one address, and stays so when it is looked at again', () => {
    const crowd = clicks(45, () => ({ address: 'attacker' }));
    expect(found(crowd, clicks(300))).toEqual({ counts: { address: 45 }, wrong: 0 });
    const credited = crowd.map((click): NamedInteraction => {
      return { ...click, interaction: { ...click.interaction, verdict: 'invalid', reason: 'address' } };
    });
    expect(found(credited, clicks(300)).counts).toEqual({ address: 45 });
    // Of a campaign with thousands of clicks it is a small share.
    expect(
      found(
        clicks(45, () => ({ address: 'office' })),
        clicks(500),
      ).counts,
    ).toEqual({});
  });

  it('is a row of clicks that nobody could have looked at, from one address or by one shopper', () => {
    const row = clicks(9, (index) => ({ address: 'fast', at: index * 900 }));
    const rented = clicks(9, (index) => ({ shopper: 'u:fast', at: index * 2000 }));
    expect(found([...row, ...rented], clicks(100))).toEqual({ counts: { pace: 18 }, wrong: 0 });
    expect(
      found(
        clicks(7, (index) => ({ address: 'eager', at: index * 900 })),
        clicks(100),
      ).counts,
    ).toEqual({});
  });

  it('is what a timer clicks, however slowly', () => {
    const timer = clicks(14, (index) => ({ address: 'timer', at: index * 20 * MINUTE + (index % 3) * 1000 }));
    expect(found(timer, clicks(100))).toEqual({ counts: { pace: 14 }, wrong: 0 });
  });

  it('is an address that clicks on what was never shown to it, where others look first', () => {
    const blind = clicks(8, () => ({ address: 'blind' }));
    expect(found(blind, clicks(100), { unseen: blind })).toEqual({ counts: { no_view: 8 }, wrong: 0 });
    // A store without view pixels says nothing about anybody.
    const others = clicks(100);
    expect(found(blind, others, { unseen: [...blind, ...others] }).counts).toEqual({});
    // Who was shown it under another address has seen it: the page is the same.
    const moved = clicks(8, () => ({ address: 'mobile' }));
    const all = [...clicks(100), ...moved];
    const views = new SeenViews(all);
    views.add(all.map((click, index) => ({ ...viewOf(click), address: `elsewhere-${index}` })));
    expect(findInvalid(all, views, { share: 0.1, floor: 20 }).size).toBe(0);
  });

  it('is a program behind many addresses that clicks and never looks', () => {
    const net = clicks(40, () => ({ agent: 'botnet' }));
    expect(found(net, clicks(300), { unseen: net })).toEqual({ counts: { agent: 40 }, wrong: 0 });
    const rare = clicks(40, () => ({ agent: 'rare browser' }));
    expect(found(rare, clicks(300)).counts).toEqual({});
  });

  it('is never what a store vouches for', () => {
    const { address: _address, agent: _agent, request: _request, ...vouched } = aClick().interaction;
    const crowd = Array.from({ length: 200 }, (_, index): NamedInteraction => {
      return { id: `v-${index}`, issuedAt: 0, interaction: { ...vouched, at: index } };
    });
    expect(found(crowd, clicks(50), { unseen: crowd })).toEqual({ counts: {}, wrong: 0 });
  });
});
