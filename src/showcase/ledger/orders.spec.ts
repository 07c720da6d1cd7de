import {
  aConfirmation,
  anInteraction,
  aSale,
  INTERACTION_AT,
  INTERACTION_DAY,
} from '../../../test/builders/an-interaction';
import type { OrderState } from './order-state';
import { afterStep, type FindClick } from './orders';

const { campaign, placement } = anInteraction();
const clicked: FindClick = () => ({ shopper: 'u:ana', click: { campaign, placement } });
/** An order as earlier versions have kept it. */
const old: OrderState = {
  store: 'loja',
  order: 'o',
  at: INTERACTION_AT,
  day: INTERACTION_DAY,
  shopper: 'u:ana',
  seen: true,
  proven: false,
  lines: [{ product: 'tenis-1', quantity: 1, amount: 900_000_000, campaign, placement, verdict: 'valid' }],
  refund: null,
};
const amounts = (order: OrderState | null) => order?.lines.map(({ amount, proven }) => [amount, proven ?? false]);

describe('orders of earlier versions', () => {
  it('are verified by their shopper, whom they name, and by nobody else', () => {
    expect(amounts(afterStep(old, aConfirmation(), clicked))).toEqual([[200_000_000, true]]);
    const stranger = aConfirmation({ shoppers: ['u:eva'], buyers: ['hash-eva'] });
    expect(amounts(afterStep(old, stranger, clicked))).toEqual([[900_000_000, false]]);
  });

  it('make room for what comes with keys', () => {
    expect(afterStep(old, aSale(), clicked)).toMatchObject({ proven: true, lines: [{ amount: 200_000_000 }] });
  });

  it('that were confirmed by their id alone prove nothing', () => {
    const confirmed: OrderState = { ...old, shopper: null, seen: false, proven: true, lines: [], day: '' };
    const sold = afterStep(confirmed, aSale({ proven: false }), clicked);
    expect([sold?.proven, amounts(sold)]).toEqual([false, [[200_000_000, false]]]);
  });
});

describe('a proof', () => {
  it('changes nothing when it comes again, and the first one holds', () => {
    const proven = afterStep(old, aConfirmation(), clicked);
    expect(afterStep(proven, aConfirmation(), clicked)).toBe(proven);
    expect(afterStep(proven, aConfirmation({ lines: [] }), clicked)).toBe(proven);
  });

  it('gives nothing back that was refunded before', () => {
    const lines = [{ product: 'tenis-1', quantity: 1, amount: 800_000_000 }];
    const refund = { kind: 'refund' as const, store: 'loja', order: 'o', at: INTERACTION_AT, lines };
    expect(amounts(afterStep(afterStep(old, refund, clicked), aConfirmation(), clicked))).toEqual([[0, true]]);
  });
});
