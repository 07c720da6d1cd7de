import type { ClickCredits, FoundInvalid, NamedInteraction } from '../../src/showcase/ledger/click-credits';
import type { ClickLedger, InvalidReason } from '../../src/showcase/ledger/click-ledger';
import { rollupsOf } from '../../src/showcase/ledger/ledger-rules';
import { addTo, type Rollup, rollupKey } from '../../src/showcase/ledger/rollup';
import { anInteraction, aSale, INTERACTION_AT, INTERACTION_DAY } from '../builders/an-interaction';

export interface OpenCredits {
  ledger: ClickLedger;
  credits: ClickCredits;
  /** Another process on the same data, if there can be one; else a new start. */
  other(): Promise<ClickCredits>;
  close(): Promise<void>;
}

const day = { from: INTERACTION_DAY, to: INTERACTION_DAY };
const arrival = { address: 'hash-1', agent: 'firefox', request: 'page-1' };

export function describeClickCreditsContract(name: string, open: () => Promise<OpenCredits>): void {
  describe(`ClickCredits: ${name}`, () => {
    let opened: OpenCredits;
    let ledger: ClickLedger;
    let credits: ClickCredits;
    let stores = 0;
    let store: string;

    beforeAll(async () => {
      opened = await open();
      ({ ledger, credits } = opened);
    });
    afterAll(() => opened.close());
    beforeEach(() => {
      store = `credit-${(stores += 1)}`;
    });

    const click = (changes: Parameters<typeof anInteraction>[0] = {}) =>
      ledger.record(anInteraction({ store, arrival, ...changes }));
    const clicks = async (): Promise<NamedInteraction[]> => {
      const found: NamedInteraction[] = [];
      for await (const page of credits.clicks({ store, ...day })) found.push(...page);
      return found.sort((a, b) => a.interaction.at - b.interaction.at);
    };
    const because = (found: readonly NamedInteraction[], reason: InvalidReason): FoundInvalid[] =>
      found.map(({ id, issuedAt }) => ({ id, issuedAt, reason }));
    const spent = async () => (await ledger.spent(store, ['verao'], INTERACTION_DAY)).get('verao');
    const soon = async (total: number, today = total): Promise<void> => {
      for (let tries = 0; tries < 100 && (await spent())?.total !== total; tries += 1) {
        await new Promise((done) => setTimeout(done, 50));
      }
      expect(await spent()).toEqual({ total, today });
    };
    const rollups = async (): Promise<Record<string, [number, number]>> => {
      const found: Record<string, [number, number]> = {};
      for (const { measure, count, micros } of await ledger.rollups({ store, ...day })) {
        const [known, money] = found[measure] ?? [0, 0];
        found[measure] = [known + count, money + micros];
      }
      return found;
    };

    it('names the billed clicks of a day, with where they came from, and the views that count', async () => {
      await click({ at: INTERACTION_AT + 1 });
      await click({ at: INTERACTION_AT + 2, arrival: { ...arrival, unrated: true } });
      await ledger.record(anInteraction({ store, at: INTERACTION_AT + 3 }));
      await click({ verdict: 'burst' });
      await click({ day: '2026-01-16' });
      await click({ type: 'view', shopper: null, charge: null, arrival: { agent: 'firefox' } });
      await click({ type: 'view', shopper: null, charge: null, verdict: 'bot' });
      const found = await clicks();
      expect(found.map(({ interaction }) => interaction)).toMatchObject([arrival, { ...arrival, unrated: true }, {}]);
      expect(found[2]?.interaction).not.toHaveProperty('address');
      const views: object[] = [];
      for await (const page of credits.views({ store, ...day })) views.push(...page);
      expect(views).toMatchObject([{ type: 'view', agent: 'firefox' }]);
    });

    it('gives back what an invalid click has cost, exactly and once, and keeps why', async () => {
      for (const at of [1, 2, 3]) await click({ at: INTERACTION_AT + at });
      const found = await clicks();
      expect(await credits.credit(store, because(found.slice(0, 2), 'pace'))).toBe(2);
      await soon(1_500_000);
      const after = { 'click/valid': [1, 1_500_000], 'click/invalid/pace': [2, 3_000_000] };
      expect(await rollups()).toEqual(after);
      expect(await credits.credit(store, because(found.slice(0, 2), 'address'))).toBe(0);
      const again = because(found.slice(0, 1), 'address');
      expect(await Promise.all([credits.credit(store, again), credits.credit(store, again)])).toEqual([0, 0]);
      expect([await rollups(), (await spent())?.total]).toEqual([after, 1_500_000]);
      expect((await clicks()).map(({ interaction: { verdict, reason, cost } }) => [verdict, reason, cost])).toEqual([
        ['invalid', 'pace', 1_500_000],
        ['invalid', 'pace', 1_500_000],
        ['valid', undefined, 1_500_000],
      ]);
    });

    it('the money can be spent again, in all and on its day', async () => {
      const charge = { cost: 1_000_000, budget: 2_000_000, dailyBudget: 1_000_000 };
      expect([await click({ charge }), await click({ charge })]).toEqual(['valid', 'over_budget']);
      await credits.credit(store, because(await clicks(), 'no_view'));
      await soon(0);
      // Another process hears of it within half a second.
      await new Promise((done) => setTimeout(done, 600));
      expect([await click({ charge }), await click({ charge })]).toEqual(['valid', 'over_budget']);
      expect(await click({ charge, day: '2026-01-16' })).toBe('valid');
      expect(await click({ charge, day: '2026-01-17' })).toBe('over_budget');
    });

    it('is exact while clicks are billed, and by two processes that credit the same at once', async () => {
      const second = await opened.other();
      for (let number = 0; number < 40; number += 1) await click({ idempotencyKey: `early-${number}` });
      const found = because(await clicks(), 'agent');
      const late = Array.from({ length: 40 }, (_, number) => click({ idempotencyKey: `late-${number}` }));
      const credited = await Promise.all([credits.credit(store, found), second.credit(store, found.toReversed())]);
      await Promise.all(late);
      // What both wrote at the same time waits for the next call.
      const rest = await credits.credit(store, found);
      expect(credited.reduce((sum, one) => sum + one, rest)).toBe(40);
      await soon(60_000_000);
      expect(await rollups()).toEqual({ 'click/valid': [40, 60_000_000], 'click/invalid/agent': [40, 60_000_000] });
    });

    it('a credited click is still a repeat of nothing new, and no order follows from it', async () => {
      await click({ idempotencyKey: 'once' });
      await credits.credit(store, because(await clicks(), 'address'));
      expect(await click({ idempotencyKey: 'once' })).toBe('duplicate');
      expect((await ledger.order(aSale({ store })))?.lines).toEqual([]);
    });

    it('what is kept adds up to the rollups, also of clicks that do not count for rates', async () => {
      await click();
      await click({ arrival: { ...arrival, unrated: true } });
      await click({ arrival: { ...arrival, unrated: true }, at: INTERACTION_AT + 5 });
      await click({ type: 'view', shopper: null, charge: null, arrival: { unrated: true } });
      await credits.credit(store, because((await clicks()).slice(-1), 'pace'));
      const added = new Map<string, Rollup>();
      for await (const page of ledger.entries(store)) {
        for (const row of page.flatMap(rollupsOf)) addTo(added, row);
      }
      const known = await ledger.rollups({ store, ...day });
      expect([...added.values()].toSorted(byText)).toEqual(known.toSorted(byText));
      expect(await rollups()).toEqual({
        'click/valid': [2, 3_000_000],
        'click/unrated': [1, 0],
        'click/invalid/pace': [1, 1_500_000],
        'view/valid': [1, 0],
        'view/unrated': [1, 0],
      });
    });

    it('of a click that has gone nothing is given back', async () => {
      await click();
      const found = because(await clicks(), 'pace');
      await ledger.remove({ store, all: true });
      expect(await credits.credit(store, found)).toBe(0);
      expect((await spent())?.total).toBe(0);
    });
  });
}

const byText = (a: Rollup, b: Rollup): number => (rollupKey(a) < rollupKey(b) ? -1 : 1);
