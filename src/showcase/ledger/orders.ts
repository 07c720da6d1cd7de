import type { ShopperKey } from '../../behaviour/shoppers/shopper';
import type { Rollup } from './rollup';

/** The click that an order follows from. */
interface LastClick {
  campaign: string;
  placement: string;
}

export interface OrderLine {
  product: string;
  quantity: number;
  /** Of the whole quantity, in micros. */
  amount: number;
}

interface Step {
  store: string;
  /** A digest of the order's id. */
  order: string;
  at: number;
}

export interface Sale extends Step {
  kind: 'sale';
  day: string;
  /** The shopper as a user and as a device: either may have clicked. */
  shoppers: ShopperKey[];
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

/** `confirmation`: a transaction event with keys names the order. */
export type OrderStep = Sale | Refund | (Step & { kind: 'confirmation' });

/** A product of an order that follows from a click. */
interface SoldLine extends OrderLine, LastClick {
  verdict: 'valid' | 'currency';
}

export interface OrderState {
  store: string;
  order: string;
  /** When it was counted. 0, with an empty day, where it is only confirmed so far. */
  at: number;
  day: string;
  shopper: ShopperKey | null;
  /** Whether the sale has come: an order counts once. */
  seen: boolean;
  proven: boolean;
  lines: SoldLine[];
  /** The last refund: one that is sent twice counts once. */
  refund: { content: string; at: number } | null;
}

/** An equal refund of the order within this time is a repeat. Milliseconds. */
const REFUND_REPEATED = 10_000;

export type FindClick = (product: string) => { shopper: ShopperKey; click: LastClick } | null;

/** The order after a step; the very same object where nothing changes. `find`: the shopper's last valid click on a product. */
export function afterStep(before: OrderState | null, step: OrderStep, find: FindClick): OrderState | null {
  const state = before ?? unknownOrder(step);
  if (step.kind === 'confirmation') return state.proven ? before : { ...state, proven: true };
  if (step.kind === 'refund') return before && refunded(before, step);
  if (!state.seen) return sold(state, step, find);
  if (!step.proven || state.proven) return before;
  return { ...state, proven: true, lines: state.lines.map((line) => corrected(line, step.lines)) };
}

function unknownOrder({ store, order }: Step): OrderState {
  return { store, order, at: 0, day: '', shopper: null, seen: false, proven: false, lines: [], refund: null };
}

function sold(state: OrderState, step: Sale, find: FindClick): OrderState {
  let shopper: ShopperKey | null = null;
  const lines = merged(step.lines).flatMap((line): SoldLine[] => {
    const found = find(line.product);
    if (!found) return [];
    shopper = found.shopper;
    return [{ ...line, ...found.click, verdict: step.summed ? 'valid' : 'currency' }];
  });
  const { at, day, proven } = step;
  return { ...state, at, day, shopper, seen: true, proven: proven || state.proven, lines };
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

/** What the store's backend says replaces what a page has said. */
function corrected(line: SoldLine, lines: readonly OrderLine[]): SoldLine {
  const own = merged(lines).find(({ product }) => product === line.product);
  return own ? { ...line, ...own } : line;
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
export function rollupsOfOrder({ day, proven, lines }: OrderState): Rollup[] {
  return lines.flatMap(({ campaign, product, placement, verdict, amount }) => {
    const row = { campaign, product, placement, day, count: 1 };
    if (verdict === 'currency') return [{ ...row, measure: 'order/currency', micros: 0 }];
    const valid = { ...row, measure: 'order/valid', micros: amount };
    return proven ? [valid] : [valid, { ...row, measure: 'order/unverified', micros: amount }];
  });
}
