import type { ShopperKey } from '../../behaviour/shoppers/shopper';
import { claimBy, type Confirmation, isOf, proven, type Step } from './order-proof';
import type { LastClick, OrderLine, OrderState, SoldLine } from './order-state';
import type { Rollup } from './rollup';

export interface Sale extends Step {
  kind: 'sale';
  day: string;
  /** The shopper as a user and as a device: either may have clicked. */
  shoppers: ShopperKey[];
  /** A keyed hash of who bought. */
  buyer: string;
  /** Clicks from before do not count. */
  clickedSince: number;
  /** With the store's keys. */
  proven: boolean;
  /** In the store's currency. */
  summed: boolean;
  lines: OrderLine[];
}

/** Quantities and amounts as positive numbers. */
interface Refund extends Step {
  kind: 'refund';
  lines: OrderLine[];
}

export type OrderStep = Sale | Refund | Confirmation;

/** An equal refund of the order within this time is a repeat. Milliseconds. */
const REFUND_REPEATED = 10_000;

/** How many others may claim an order without keys. */
const MOST_CLAIMS = 4;

export type FindClick = (product: string) => { shopper: ShopperKey; click: LastClick } | null;

/** The order after a step; the very same object where nothing changes. `find`: the shopper's last valid click on a product. */
export function afterStep(before: OrderState | null, step: OrderStep, find: FindClick): OrderState | null {
  if (step.kind === 'refund') return before && refunded(before, step);
  const state = before ?? unknownOrder(step);
  const after = step.kind === 'confirmation' ? confirmed(state, step) : sold(state, step, find);
  return after === state ? before : after;
}

function unknownOrder({ store, order, at }: Step): OrderState {
  return { store, order, at, day: '', shopper: null, seen: false, proven: false, lines: [], refund: null };
}

function confirmed(state: OrderState, { day, buyers, shoppers, lines, total }: Confirmation): OrderState {
  if (state.proof || (state.seen && state.proven)) return state;
  const named = { ...state, proof: { buyers, lines, total } };
  if (state.seen && isOf(state, { buyers, shoppers })) return proven(named);
  const claim = claimBy(state.claims, buyers);
  if (claim) return proven({ ...named, ...claim, shopper: shoppers[0] ?? null, claims: [] });
  return state.seen ? named : { ...named, day, shopper: shoppers[0] ?? null };
}

function sold(state: OrderState, step: Sale, find: FindClick): OrderState {
  if (state.seen && state.proven) return state;
  if (step.proven) return soldWithKeys(state, step, find);
  const buyers = [step.buyer];
  if (!state.seen) return proven(taken(state, step, find));
  if (isOf(state, { buyers, shoppers: step.shoppers })) return state;
  // One that counts for nothing, or of which the store says that it is this buyer's, keeps nobody from counting.
  const isNamed = (buyer: string | null | undefined): boolean => state.proof?.buyers.includes(buyer ?? '') === true;
  if (state.lines.length === 0 || (isNamed(step.buyer) && !isNamed(state.buyer))) {
    return proven(taken(state, step, find));
  }
  const claims = state.claims ?? [];
  if (claims.length >= MOST_CLAIMS || claimBy(claims, buyers)) return state;
  const { lines } = soldLines(step, find);
  if (lines.length === 0) return state;
  return { ...state, claims: [...claims, { buyer: step.buyer, at: step.at, day: step.day, lines }] };
}

function taken(state: OrderState, step: Sale, find: FindClick): OrderState {
  const { at, day, buyer } = step;
  return { ...state, ...soldLines(step, find), at, day, buyer, seen: true, proven: step.proven };
}

/** What comes with keys takes the place of all that came without. What the same buyer had claimed keeps its day and its clicks. */
function soldWithKeys(state: OrderState, step: Sale, find: FindClick): OrderState {
  const buyers = [step.buyer];
  const isOwn = state.seen && isOf(state, { buyers, shoppers: step.shoppers });
  const own = isOwn ? state : claimBy(state.claims, buyers);
  const followed = new Map(own?.lines.map(({ product, campaign, placement }) => [product, { campaign, placement }]));
  const shopper = (isOwn ? state.shopper : null) ?? step.shoppers[0] ?? null;
  const after = taken(state, step, (product) => {
    const click = followed.get(product);
    return click && shopper ? { shopper, click } : find(product);
  });
  return { ...after, at: own?.at ?? step.at, day: own?.day ?? step.day, claims: [] };
}

function soldLines(step: Sale, find: FindClick): Pick<OrderState, 'shopper' | 'lines'> {
  let shopper: ShopperKey | null = null;
  const lines = merged(step.lines).flatMap((line): SoldLine[] => {
    const found = find(line.product);
    if (!found) return [];
    shopper = found.shopper;
    return [{ ...line, ...found.click, verdict: step.summed ? 'valid' : 'currency' }];
  });
  return { shopper, lines };
}

/** One line for each product. */
function merged(lines: readonly OrderLine[]): OrderLine[] {
  const products = new Map<string, OrderLine>();
  for (const { product, quantity, amount } of lines) {
    const known = products.get(product) ?? { product, quantity: 0, amount: 0 };
    products.set(product, { product, quantity: known.quantity + quantity, amount: known.amount + amount });
  }
  return [...products.values()];
}

function refunded(state: OrderState, { at, lines }: Refund): OrderState {
  const content = JSON.stringify(lines);
  if (state.refund?.content === content && at - state.refund.at < REFUND_REPEATED) return state;
  const back = new Map(merged(lines).map((line) => [line.product, line]));
  const left = state.lines.map((line) => {
    const own = line.verdict === 'valid' ? back.get(line.product) : undefined;
    if (!own) return line;
    // Never below zero, however much is sent back.
    const quantity = Math.max(0, line.quantity - own.quantity);
    return { ...line, quantity, amount: quantity === 0 ? 0 : Math.max(0, line.amount - own.amount) };
  });
  return { ...state, lines: left, refund: { content, at } };
}

/** What an order adds to the rollups. */
export function rollupsOfOrder({ day, proven: isProven, lines }: OrderState): Rollup[] {
  return lines.flatMap(({ campaign, product, placement, verdict, amount, proven: isNamed }) => {
    const row = { campaign, product, placement, day, count: 1 };
    if (verdict === 'currency') return [{ ...row, measure: 'order/currency', micros: 0 }];
    const valid = { ...row, measure: 'order/valid', micros: amount };
    return isProven || isNamed ? [valid] : [valid, { ...row, measure: 'order/unverified', micros: amount }];
  });
}
