import type { Interaction } from '../../src/showcase/ledger/click-ledger';
import type { Confirmation } from '../../src/showcase/ledger/order-proof';
import type { Sale } from '../../src/showcase/ledger/orders';

export const INTERACTION_AT = Date.UTC(2026, 0, 15, 12);
export const INTERACTION_DAY = '2026-01-15';
let serial = 0;

/** A click that is charged 1.50 to a campaign with plenty of money; a test names only what matters to it. */
export function anInteraction(changes: Partial<Interaction> = {}): Interaction {
  serial += 1;
  return {
    store: 'loja',
    type: 'click',
    campaign: 'verao',
    product: 'tenis-1',
    placement: 'home',
    at: INTERACTION_AT,
    day: INTERACTION_DAY,
    issuedAt: INTERACTION_AT - 60_000,
    shopper: 'u:ana',
    verdict: null,
    idempotencyKey: `once-${serial}`,
    sharedLink: null,
    charge: { cost: 1_500_000, budget: 1_000_000_000, dailyBudget: null },
    ...changes,
  };
}

/** Ana buys one pair of shoes for 200. */
export function aSale(changes: Partial<Sale> = {}): Sale {
  serial += 1;
  return {
    kind: 'sale',
    store: 'loja',
    order: `order-${serial}`,
    at: INTERACTION_AT + 60_000,
    day: INTERACTION_DAY,
    shoppers: ['u:ana', 'd:ana'],
    buyer: 'hash-ana',
    clickedSince: INTERACTION_AT - 7 * 86_400_000,
    proven: true,
    summed: true,
    lines: [{ product: 'tenis-1', quantity: 1, amount: 200_000_000 }],
    ...changes,
  };
}

/** The store's backend says that Ana has bought that pair of shoes, for 200. */
export function aConfirmation(changes: Partial<Confirmation> = {}): Confirmation {
  return {
    kind: 'confirmation',
    store: 'loja',
    order: `order-${serial}`,
    at: INTERACTION_AT + 90_000,
    day: INTERACTION_DAY,
    shoppers: ['u:ana'],
    buyers: ['hash-ana'],
    lines: [{ product: 'tenis-1', quantity: 1, amount: 200_000_000 }],
    total: null,
    ...changes,
  };
}
