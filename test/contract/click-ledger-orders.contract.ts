import type { ClickLedger } from '../../src/showcase/ledger/click-ledger';
import { anInteraction, aSale, INTERACTION_AT } from '../builders/an-interaction';

interface Open {
  ledger: ClickLedger;
  store: string;
  /** Count and micros by measure. */
  rollups(): Promise<Record<string, [number, number]>>;
}

/** The part of the contract that orders are. */
export function describeOrders(open: () => Open): void {
  let { ledger, store, rollups } = {} as Open;
  beforeEach(() => {
    ({ ledger, store, rollups } = open());
  });
  const click = (changes: Parameters<typeof anInteraction>[0] = {}) =>
    ledger.record(anInteraction({ store, ...changes }));
  const sold = { 'order/valid': [1, 200_000_000] };

  it('follow from the last valid click on the product, by the user or their device', async () => {
    await click({ campaign: 'old', at: INTERACTION_AT - 2000 });
    await click({ campaign: 'new', placement: 'search', at: INTERACTION_AT - 1000 });
    await click({ campaign: 'bot', at: INTERACTION_AT, verdict: 'bot' });
    await click({ campaign: 'other', at: INTERACTION_AT, product: 'tenis-2' });
    const order = await ledger.order(aSale({ store }));
    expect(order?.lines).toMatchObject([{ campaign: 'new', placement: 'search', amount: 200_000_000 }]);
    await click({ campaign: 'device', shopper: 'd:ana', at: INTERACTION_AT + 1 });
    expect((await ledger.order(aSale({ store })))?.lines).toMatchObject([{ campaign: 'device' }]);
  });

  it('follow from nothing where there was no click in time', async () => {
    await click({ at: INTERACTION_AT });
    expect((await ledger.order(aSale({ store, clickedSince: INTERACTION_AT + 1 })))?.lines).toEqual([]);
    expect((await ledger.order(aSale({ store, shoppers: ['u:bia', 'd:bia'] })))?.lines).toEqual([]);
    expect(await rollups()).toEqual({ 'click/valid': [1, 1_500_000] });
  });

  it('count once, even where a click comes after', async () => {
    await ledger.order(aSale({ store, order: 'o' }));
    await click();
    await ledger.order(aSale({ store, order: 'o' }));
    expect(await rollups()).toEqual({ 'click/valid': [1, 1_500_000] });
    await Promise.all(Array.from({ length: 8 }, () => ledger.order(aSale({ store, order: 'p' }))));
    expect(await rollups()).toMatchObject(sold);
  });

  it('without keys are unverified, until the store names them', async () => {
    await click();
    await ledger.order(aSale({ store, order: 'o', proven: false }));
    expect(await rollups()).toMatchObject({ ...sold, 'order/unverified': [1, 200_000_000] });
    await ledger.order({ kind: 'confirmation', store, order: 'o', at: INTERACTION_AT });
    expect(await rollups()).toEqual({ 'click/valid': [1, 1_500_000], ...sold });
  });

  it('that the store has named before are verified at once', async () => {
    await click();
    await ledger.order({ kind: 'confirmation', store, order: 'o', at: INTERACTION_AT });
    await ledger.order(aSale({ store, order: 'o', proven: false }));
    expect(await rollups()).toEqual({ 'click/valid': [1, 1_500_000], ...sold });
  });

  it('are what the store’s keys say, where a page had said something else first', async () => {
    await click();
    const lie = [{ product: 'tenis-1', quantity: 1, amount: 9_000_000_000 }];
    await ledger.order(aSale({ store, order: 'o', proven: false, lines: lie }));
    await ledger.order(aSale({ store, order: 'o' }));
    expect(await rollups()).toEqual({ 'click/valid': [1, 1_500_000], ...sold });
  });

  it('are refunded on the day of the order, never below zero, and once where the refund is repeated', async () => {
    await click();
    const lines = [{ product: 'tenis-1', quantity: 3, amount: 300_000_000 }];
    await ledger.order(aSale({ store, order: 'o', lines }));
    const refund = (at: number, quantity: number, amount: number) =>
      ledger.order({ kind: 'refund', store, order: 'o', at, lines: [{ product: 'tenis-1', quantity, amount }] });
    await refund(INTERACTION_AT, 1, 100_000_000);
    await refund(INTERACTION_AT + 500, 1, 100_000_000);
    expect(await rollups()).toMatchObject({ 'order/valid': [1, 200_000_000] });
    await refund(INTERACTION_AT + 20_000, 1, 100_000_000);
    expect(await rollups()).toMatchObject({ 'order/valid': [1, 100_000_000] });
    await refund(INTERACTION_AT + 40_000, 9, 900_000_000);
    expect(await rollups()).toMatchObject({ 'order/valid': [1, 0] });
    expect(await ledger.order({ kind: 'refund', store, order: 'unknown', at: INTERACTION_AT, lines })).toBeNull();
  });

  it('in another currency are kept and not added to revenue', async () => {
    await click();
    await ledger.order(aSale({ store, summed: false }));
    expect(await rollups()).toEqual({ 'click/valid': [1, 1_500_000], 'order/currency': [1, 0] });
  });
}
