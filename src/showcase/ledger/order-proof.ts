import type { ShopperKey } from '../../behaviour/shoppers/shopper';
import type { Claim, Named, OrderState, Proof, SoldLine } from './order-state';

export interface Step {
  store: string;
  /** A digest of the order's id. */
  order: string;
  at: number;
}

/** A transaction event with keys names the order. */
export interface Confirmation extends Step, Proof {
  kind: 'confirmation';
  day: string;
  /** Who bought, as a user and as a device. */
  shoppers: ShopperKey[];
}

/** Whether the order is counted for one of these buyers. */
export function isOf({ shopper, buyer }: Named, others: Pick<Confirmation, 'buyers' | 'shoppers'>): boolean {
  if (buyer !== undefined) return buyer !== null && others.buyers.includes(buyer);
  return shopper !== null && others.shoppers.some((other) => other.slice(2) === shopper.slice(2));
}

export function claimBy(claims: readonly Claim[] | undefined, buyers: readonly string[]): Claim | undefined {
  return claims?.find(({ buyer }) => buyers.includes(buyer));
}

/** The order with the products that its proof names verified; unchanged where the proof names another buyer. */
export function proven(state: OrderState): OrderState {
  const { proof, shopper, buyer } = state;
  const isNamed = buyer === undefined ? shopper !== null : proof?.buyers.includes(buyer ?? '');
  if (!proof || !isNamed) return state;
  const isRefunded = state.refund !== null;
  return { ...state, lines: state.lines.map((line) => provenLine(line, proof, isRefunded)) };
}

/** The backend's amounts hold. Where it says none, the page's do, up to the total. What was refunded already stays so. */
function provenLine(line: SoldLine, { lines, total }: Proof, isRefunded: boolean): SoldLine {
  const own = lines.find(({ product }) => product === line.product);
  if (!own) return line;
  if (own.amount !== null && !isRefunded) return { ...line, quantity: own.quantity, amount: own.amount, proven: true };
  return { ...line, amount: Math.min(line.amount, own.amount ?? total ?? line.amount), proven: true };
}

/** Without anybody's name; what was bought stays. */
export function namelessOrder(order: OrderState): OrderState {
  const { proof } = order;
  return { ...order, shopper: null, buyer: null, ...(proof ? { proof: { ...proof, buyers: [] } } : {}) };
}
