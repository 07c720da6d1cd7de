import type { ShopperKey } from '../../src/behaviour/shoppers/shopper';
import type { ClickLedger, LedgerEntry } from '../../src/showcase/ledger/click-ledger';
import { rollupsOf } from '../../src/showcase/ledger/ledger-rules';
import { anInteraction, aSale, INTERACTION_AT, INTERACTION_DAY } from '../builders/an-interaction';
import { describeOrders } from './click-ledger-orders.contract';
import type { StandingClock } from '../support/whole-app';
import { addTo, type Rollup } from '../../src/showcase/ledger/rollup';

export interface OpenLedger {
  ledger: ClickLedger;
  /** Another process on the same data, if there can be one; else a new start. */
  other(): Promise<ClickLedger>;
  clock: StandingClock;
  close(): Promise<void>;
}

export function describeClickLedgerContract(name: string, open: () => Promise<OpenLedger>): void {
  describe(`ClickLedger: ${name}`, () => {
    let opened: OpenLedger;
    let ledger: ClickLedger;
    let stores = 0;
    let store: string;

    beforeAll(async () => {
      opened = await open();
      ({ ledger } = opened);
    });
    afterAll(() => opened.close());
    beforeEach(() => {
      store = `store-${(stores += 1)}`;
    });

    const click = (changes: Parameters<typeof anInteraction>[0] = {}) =>
      ledger.record(anInteraction({ store, ...changes }));
    const all = async (shopper?: ShopperKey): Promise<LedgerEntry[]> => {
      const entries: LedgerEntry[] = [];
      for await (const page of ledger.entries(store, shopper)) entries.push(...page);
      return entries;
    };
    const totals = (from = INTERACTION_DAY, to = INTERACTION_DAY): Promise<Rollup[]> =>
      ledger.rollups({ store, from, to });
    const rollups = async (): Promise<Record<string, [number, number]>> => {
      const found: Record<string, [number, number]> = {};
      for (const { measure, count, micros } of await totals('2000-01-01', '2099-12-31')) {
        const [known, money] = found[measure] ?? [0, 0];
        found[measure] = [known + count, money + micros];
      }
      return found;
    };
    const spent = async (campaign = 'verao', day = INTERACTION_DAY) =>
      (await ledger.spent(store, [campaign], day)).get(campaign);

    describe('interactions', () => {
      it('bills a click, keeps it and rolls it up', async () => {
        expect(await click()).toBe('valid');
        expect(await spent()).toEqual({ total: 1_500_000, today: 1_500_000 });
        expect(await totals()).toEqual([
          {
            campaign: 'verao',
            product: 'tenis-1',
            placement: 'home',
            day: INTERACTION_DAY,
            measure: 'click/valid',
            count: 1,
            micros: 1_500_000,
          },
        ]);
        expect(await all()).toEqual([
          {
            type: 'interaction',
            interaction: {
              store,
              type: 'click',
              verdict: 'valid',
              campaign: 'verao',
              product: 'tenis-1',
              placement: 'home',
              day: INTERACTION_DAY,
              at: INTERACTION_AT,
              shopper: 'u:ana',
              cost: 1_500_000,
            },
          },
        ]);
      });

      it('counts once what is the same, and keeps every repeat', async () => {
        const verdicts = [
          await click({ idempotencyKey: 'one' }),
          await click({ idempotencyKey: 'one' }),
          await click({ idempotencyKey: 'two' }),
        ];
        expect(verdicts).toEqual(['valid', 'duplicate', 'valid']);
        expect(await rollups()).toEqual({ 'click/valid': [2, 3_000_000], 'click/duplicate': [1, 0] });
      });

      it('of the same click many times at once, one counts', async () => {
        const verdicts = await Promise.all(Array.from({ length: 20 }, () => click({ idempotencyKey: 'same' })));
        expect(verdicts.filter((one) => one === 'valid')).toHaveLength(1);
        expect(await rollups()).toEqual({ 'click/valid': [1, 1_500_000], 'click/duplicate': [19, 0] });
        expect((await spent())?.total).toBe(1_500_000);
      });

      it('keeps what has a verdict already, as often as it comes, and bills nothing', async () => {
        for (const verdict of ['bot', 'prefetch', 'burst', 'expired', 'forged', 'bot'] as const) {
          expect(await click({ idempotencyKey: 'x', verdict })).toBe(verdict);
        }
        expect(await rollups()).toMatchObject({ 'click/bot': [2, 0], 'click/forged': [1, 0], 'click/burst': [1, 0] });
        expect(await click({ idempotencyKey: 'x' })).toBe('valid');
      });

      it('counts views without money, a widget among them', async () => {
        const view = { type: 'view', shopper: null, charge: null } as const;
        expect(await click({ ...view, idempotencyKey: 'v' })).toBe('valid');
        expect(await click({ ...view, idempotencyKey: 'v' })).toBe('duplicate');
        expect(await click({ ...view, campaign: '', product: '' })).toBe('valid');
        expect(await rollups()).toEqual({ 'view/valid': [2, 0], 'view/duplicate': [1, 0] });
        expect((await spent())?.total).toBe(0);
      });

      it('has 20 slots for others than the user a link was made for', async () => {
        const verdicts: string[] = [];
        for (let number = 0; number < 23; number += 1) {
          verdicts.push(
            await click({ sharedLink: 'link-1', idempotencyKey: `f-${number}`, shopper: `u:other-${number}` }),
          );
        }
        expect(verdicts).toEqual([...Array.from({ length: 20 }, () => 'valid'), 'shared', 'shared', 'shared']);
        expect(await click({ sharedLink: 'link-1', idempotencyKey: 'f-3' })).toBe('duplicate');
        expect(await click({ sharedLink: 'link-2' })).toBe('valid');
        expect(await click({ sharedLink: null })).toBe('valid');
      });

      it('has those 20 slots for all who come at once', async () => {
        const verdicts = await Promise.all(
          Array.from({ length: 40 }, (_, number) => click({ sharedLink: 'link-3', idempotencyKey: `g-${number}` })),
        );
        expect(verdicts.filter((one) => one === 'valid')).toHaveLength(20);
      });
    });

    describe('budgets', () => {
      it('are never exceeded, to the micro', async () => {
        const charge = { cost: 333_333, budget: 1_000_000, dailyBudget: null };
        const verdicts = [
          await click({ charge }),
          await click({ charge }),
          await click({ charge }),
          await click({ charge }),
        ];
        expect(verdicts).toEqual(['valid', 'valid', 'valid', 'over_budget']);
        expect((await spent())?.total).toBe(999_999);
        expect(await click({ charge: { ...charge, cost: 1 } })).toBe('valid');
        expect(await click({ charge: { ...charge, cost: 1 } })).toBe('over_budget');
      });

      it('of a day end with it', async () => {
        const charge = { cost: 400_000, budget: 10_000_000, dailyBudget: 500_000 };
        expect(await click({ charge })).toBe('valid');
        expect(await click({ charge })).toBe('over_budget');
        expect(await click({ charge, day: '2026-01-16' })).toBe('valid');
        expect(await spent('verao', '2026-01-16')).toEqual({ total: 800_000, today: 400_000 });
      });

      it('are each campaign’s own', async () => {
        const charge = { cost: 1_000_000, budget: 1_000_000, dailyBudget: null };
        expect(await click({ charge })).toBe('valid');
        expect(await click({ charge, campaign: 'inverno' })).toBe('valid');
        expect(await click({ charge })).toBe('over_budget');
      });

      it('hold for two processes that spend at once, and every click is kept', async () => {
        const second = await opened.other();
        const charge = { cost: 10_000, budget: 1_234_567, dailyBudget: null };
        const verdicts = await Promise.all(
          Array.from({ length: 300 }, (_, number) =>
            (number % 2 === 0 ? ledger : second).record(
              anInteraction({ store, charge, idempotencyKey: `c-${number}` }),
            ),
          ),
        );
        const valid = verdicts.filter((one) => one === 'valid').length;
        expect(valid).toBe(123);
        expect((await spent())?.total).toBe(1_230_000);
        expect(await rollups()).toEqual({ 'click/valid': [123, 1_230_000], 'click/over_budget': [177, 0] });
        expect(await all()).toHaveLength(300);
      });

      it('of the same click through two processes, one is billed', async () => {
        const second = await opened.other();
        const verdicts = await Promise.all(
          Array.from({ length: 40 }, (_, number) =>
            (number % 2 === 0 ? ledger : second).record(anInteraction({ store, idempotencyKey: `d-${number % 10}` })),
          ),
        );
        expect(verdicts.filter((one) => one === 'valid')).toHaveLength(10);
        expect(await rollups()).toEqual({ 'click/valid': [10, 15_000_000], 'click/duplicate': [30, 0] });
        await new Promise((done) => setTimeout(done, 500));
        expect((await spent())?.total).toBe(15_000_000);
        opened.clock.advance(61_000);
        expect(await ledger.settleOrphanedClaims()).toBe(0);
      });
    });

    describe('orders', () => describeOrders(() => ({ ledger, store, rollups })));

    describe('what is kept', () => {
      it('adds up to the rollups, entry by entry', async () => {
        for (let number = 0; number < 12; number += 1) {
          await click({
            idempotencyKey: `n-${number % 7}`,
            campaign: `c-${number % 3}`,
            day: `2026-01-1${number % 4}`,
          });
        }
        await ledger.order(aSale({ store, proven: false }));
        const known = (await totals('2026-01-01', '2026-01-31')).toSorted(byText);
        const added = new Map<string, Rollup>();
        for (const row of (await all()).flatMap(rollupsOf)) addTo(added, row);
        expect([...added.values()].toSorted(byText)).toEqual(known);
      });

      it('names a shopper until they are forgotten, and counts all the same', async () => {
        await click({ shopper: 'u:eva', idempotencyKey: 'e' });
        await click();
        await ledger.order(aSale({ store, shoppers: ['u:eva', 'd:eva'] }));
        const before = await rollups();
        expect(await all('u:eva')).toHaveLength(2);
        expect(await ledger.remove({ store, shopper: 'u:eva' })).toBe(2);
        expect(await ledger.remove({ store, shopper: 'u:eva' })).toBe(0);
        expect(await all('u:eva')).toEqual([]);
        expect(JSON.stringify(await all())).not.toContain('eva');
        expect(await rollups()).toEqual(before);
        expect(await click({ shopper: 'u:eva', idempotencyKey: 'e' })).toBe('duplicate');
      });

      it('goes when it is old, and its rollups stay', async () => {
        for (const day of ['2026-01-10', '2026-01-11', '2026-01-12']) await click({ day });
        await ledger.order(aSale({ store, day: '2026-01-10' }));
        const before = (await totals('2026-01-01', '2026-01-31')).toSorted(byText);
        expect(await ledger.remove({ store, before: '2026-01-12' })).toBe(3);
        expect(await ledger.remove({ store, before: '2026-01-12' })).toBe(0);
        expect((await totals('2026-01-01', '2026-01-31')).toSorted(byText)).toEqual(before);
        expect(await all()).toHaveLength(1);
        expect((await spent())?.total).toBe(4_500_000);
      });

      it('goes with its store, and no other’s does', async () => {
        await click();
        await ledger.order(aSale({ store }));
        await ledger.record(anInteraction({ store: 'neighbour' }));
        await ledger.remove({ store, all: true });
        expect([await all(), await totals(), (await spent())?.total]).toEqual([[], [], 0]);
        expect(await ledger.rollups({ store: 'neighbour', from: INTERACTION_DAY, to: INTERACTION_DAY })).toHaveLength(
          1,
        );
      });

      it('is there for a process that starts later', async () => {
        await click({ idempotencyKey: 'early' });
        const later = await opened.other();
        expect(await later.record(anInteraction({ store, idempotencyKey: 'early' }))).toBe('duplicate');
        expect(await later.rollups({ store, from: INTERACTION_DAY, to: INTERACTION_DAY })).toHaveLength(2);
      });
    });
  });
}

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
