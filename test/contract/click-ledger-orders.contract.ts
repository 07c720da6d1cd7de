import type { ClickLedger } from '../../src/showcase/ledger/click-ledger';
import type { Sale } from '../../src/showcase/ledger/orders';
import { aConfirmation, anInteraction, aSale, INTERACTION_AT } from '../builders/an-interaction';

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

  it('follow from the later of two clicks in one millisecond', async () => {
    // Some number of them, so that chance can't put every one right.
    for (const campaign of ['first', 'second', 'third', 'fourth', 'last']) {
      await click({ campaign });
      await rollups();
      const order = await ledger.order(aSale({ store, order: campaign }));
      expect(order?.lines).toMatchObject([{ campaign }]);
    }
  });

  it('of many products follow from the last click on each', async () => {
    for (const product of ['tenis-1', 'tenis-2', 'tenis-3']) await click({ product, campaign: `old-${product}` });
    await click({ product: 'tenis-2', campaign: 'new', at: INTERACTION_AT + 1 });
    await click({ product: 'tenis-3', campaign: 'of-bia', at: INTERACTION_AT + 1, shopper: 'u:bia' });
    const lines = [1, 2, 3, 4].map((n) => ({ product: `tenis-${n}`, quantity: 1, amount: 1_000_000 }));
    const order = await ledger.order(aSale({ store, lines }));
    expect(order?.lines.map(({ product, campaign }) => `${product} ${campaign}`)).toEqual([
      'tenis-1 old-tenis-1',
      'tenis-2 new',
      'tenis-3 old-tenis-3',
    ]);
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

  it('without keys are unverified, until the store names them, their buyer and products', async () => {
    await click();
    await ledger.order(aSale({ store, order: 'o', proven: false }));
    expect(await rollups()).toMatchObject({ ...sold, 'order/unverified': [1, 200_000_000] });
    await ledger.order(aConfirmation({ store, order: 'o' }));
    expect(await rollups()).toEqual({ 'click/valid': [1, 1_500_000], ...sold });
  });

  it('that the store has named before are verified at once', async () => {
    await click();
    await ledger.order(aConfirmation({ store, order: 'o' }));
    await ledger.order(aSale({ store, order: 'o', proven: false }));
    expect(await rollups()).toEqual({ 'click/valid': [1, 1_500_000], ...sold });
  });

  it('are what the store’s keys say, where a page had said something else first', async () => {
    await click();
    const more = [{ product: 'tenis-1', quantity: 1, amount: 9_000_000_000 }];
    await ledger.order(aSale({ store, order: 'o', proven: false, lines: more }));
    await ledger.order(aSale({ store, order: 'o' }));
    expect(await rollups()).toEqual({ 'click/valid': [1, 1_500_000], ...sold });
  });

  const eva: Pick<Sale, 'shoppers' | 'buyer'> = { shoppers: ['u:eva', 'd:eva'], buyer: 'hash-eva' };
  const lie = [{ product: 'tenis-1', quantity: 1, amount: 900_000_000_000_000 }];
  const clicks = { 'click/valid': [2, 3_000_000] };

  it.each(['before', 'after'])(
    'without keys are not verified by another user’s order of that id, named %s',
    async (when) => {
      await click();
      await click({ shopper: 'u:eva' });
      const proof = aConfirmation({
        store,
        order: 'o',
        lines: [{ product: 'tenis-1', quantity: 1, amount: 10_000_000 }],
      });
      if (when === 'before') await ledger.order(proof);
      await ledger.order(aSale({ store, order: 'o', ...eva, proven: false, lines: lie }));
      if (when === 'after') await ledger.order(proof);
      const all = { 'order/valid': [1, 900_000_000_000_000], 'order/unverified': [1, 900_000_000_000_000] };
      expect(await rollups()).toEqual({ ...clicks, ...all });
      // The real one counts, with the amounts of the store, and the other one no more.
      await ledger.order(aSale({ store, order: 'o', proven: false }));
      expect(await rollups()).toEqual({ ...clicks, 'order/valid': [1, 10_000_000] });
    },
  );

  it('that several claim without keys count once, and for whom the store names in the end', async () => {
    await click();
    await click({ shopper: 'u:eva' });
    await ledger.order(aSale({ store, order: 'o', ...eva, proven: false, lines: lie }));
    await ledger.order(aSale({ store, order: 'o', proven: false }));
    expect(await rollups()).toMatchObject({ 'order/valid': [1, 900_000_000_000_000] });
    await ledger.order(aConfirmation({ store, order: 'o' }));
    expect(await rollups()).toEqual({ ...clicks, ...sold });
  });

  it('without keys make room for those with keys, whoever claimed them', async () => {
    await click();
    await click({ shopper: 'u:eva' });
    await ledger.order(aSale({ store, order: 'o', ...eva, proven: false, lines: lie }));
    await ledger.order(aSale({ store, order: 'o' }));
    expect(await rollups()).toEqual({ ...clicks, ...sold });
    await ledger.order(aSale({ store, order: 'o', ...eva, proven: false, lines: lie }));
    await ledger.order(aSale({ store, order: 'o', ...eva, lines: lie }));
    expect(await rollups()).toEqual({ ...clicks, ...sold });
  });

  it('that nobody has clicked for keep no other from counting', async () => {
    await ledger.order(aSale({ store, order: 'o', ...eva, proven: false, lines: lie }));
    await click();
    await ledger.order(aSale({ store, order: 'o', proven: false }));
    expect(await rollups()).toMatchObject({ ...sold, 'order/unverified': [1, 200_000_000] });
  });

  it('are verified product by product, with the amounts that the store names', async () => {
    await click();
    await click({ product: 'tenis-2' });
    await click({ product: 'tenis-3' });
    const line = (product: string) => ({ product, quantity: 9, amount: 500_000_000 });
    const lines = [line('tenis-1'), line('tenis-2'), line('tenis-3')];
    await ledger.order(aSale({ store, order: 'o', proven: false, lines }));
    const named = [
      { product: 'tenis-1', quantity: 2, amount: 70_000_000 },
      { product: 'tenis-2', quantity: 1, amount: null },
    ];
    for (let times = 0; times < 2; times += 1) {
      await ledger.order(aConfirmation({ store, order: 'o', lines: named, total: 100_000_000 }));
    }
    expect(await rollups()).toMatchObject({
      'order/valid': [3, 70_000_000 + 100_000_000 + 500_000_000],
      'order/unverified': [1, 500_000_000],
    });
  });

  it('stay unverified where the store names nobody', async () => {
    await click();
    await ledger.order(aSale({ store, order: 'o', proven: false }));
    await ledger.order(aConfirmation({ store, order: 'o', shoppers: [], buyers: [] }));
    expect(await rollups()).toMatchObject({ 'order/unverified': [1, 200_000_000] });
  });

  it('of somebody who was forgotten name nobody, and count all the same', async () => {
    await click();
    await ledger.order(aSale({ store, order: 'o', proven: false }));
    await ledger.order(aConfirmation({ store, order: 'later' }));
    await ledger.remove({ store, shopper: 'u:ana' });
    const left: string[] = [];
    for await (const page of ledger.entries(store)) left.push(...page.map((entry) => JSON.stringify(entry)));
    expect(left.filter((entry) => entry.includes('ana'))).toEqual([]);
    expect(await rollups()).toMatchObject({ 'order/unverified': [1, 200_000_000] });
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
