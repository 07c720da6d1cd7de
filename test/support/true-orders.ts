import type { MetricsRow } from './showcase-shop';

export interface TrueOrder {
  id: string;
  user: string;
  at: number;
  lines: { product: string; quantity: number; cents: number }[];
  proven: boolean;
  foreignCurrency: boolean;
}

/** What the store's backend says of an order in an event. */
export interface TrueProof {
  user: string | null;
  lines: TrueOrder['lines'];
}

export type Row = Omit<MetricsRow, 'ctr' | 'revenue' | 'spend' | 'credited' | 'invalid'> & {
  cents: number;
  unverifiedCents: number;
  spentCents: number;
};

interface Sold {
  row: Row;
  product: string;
  quantity: number;
  cents: number;
  proven: boolean;
  counted: boolean;
}

/** What is known of one order: whose it is, and what of it counts. */
interface Known {
  user: string;
  keys: boolean;
  sold: Sold[];
}

/** What should have been counted of orders: of each one sale, those with keys before those without. */
export class TrueOrders {
  private readonly orders = new Map<string, Known>();
  private readonly claims = new Map<string, Known[]>();
  private readonly proofs = new Map<string, TrueProof>();
  private readonly refunded = new Set<string>();

  constructor(
    /** The row that an order's line is counted in; null: it follows from no click. */
    private readonly rowOf: (order: TrueOrder, product: string) => Row | null,
  ) {}

  sell(order: TrueOrder): void {
    const known = this.orders.get(order.id);
    if (known?.keys) return;
    const sale: Known = { user: order.user, keys: order.proven, sold: this.soldOf(order) };
    const named = this.proofs.get(order.id)?.user;
    if (known && !order.proven) {
      if (known.user === order.user) return;
      if (known.sold.length > 0 && named !== order.user) {
        const claims = this.claims.get(order.id) ?? [];
        if (sale.sold.length > 0 && !claims.some(({ user }) => user === order.user)) claims.push(sale);
        this.claims.set(order.id, claims);
        return;
      }
    }
    this.count(order.id, sale);
  }

  confirm(id: string, proof: TrueProof): void {
    const known = this.orders.get(id);
    if (this.proofs.has(id) || known?.keys) return;
    this.proofs.set(id, proof);
    const claim = this.claims.get(id)?.find(({ user }) => user === proof.user);
    if (known && known.user !== proof.user && claim) this.count(id, claim);
    else if (known) this.verify(id, known);
  }

  refund(id: string, back: { product: string; quantity: number; cents: number }): void {
    this.refunded.add(id);
    for (const sold of this.orders.get(id)?.sold ?? []) {
      if (sold.product !== back.product || !sold.counted) continue;
      const quantity = Math.max(0, sold.quantity - back.quantity);
      const cents = quantity === 0 ? 0 : Math.max(0, sold.cents - back.cents);
      sold.row.cents -= sold.cents - cents;
      if (!sold.proven) sold.row.unverifiedCents -= sold.cents - cents;
      Object.assign(sold, { quantity, cents });
    }
  }

  /** The lines that follow from a click. */
  private soldOf(order: TrueOrder): Sold[] {
    return order.lines.flatMap(({ product, quantity, cents }): Sold[] => {
      const row = this.rowOf(order, product);
      return row === null
        ? []
        : [{ row, product, quantity, cents, proven: order.proven, counted: !order.foreignCurrency }];
    });
  }

  /** Counts an order in place of what was counted of it before. */
  private count(id: string, sale: Known): void {
    for (const [known, sign] of [
      [this.orders.get(id)?.sold ?? [], -1],
      [sale.sold, 1],
    ] as const) {
      for (const { row, cents, counted, proven } of known) {
        if (!counted) {
          row.verdicts['currency'] = (row.verdicts['currency'] ?? 0) + sign;
          if (row.verdicts['currency'] === 0) delete row.verdicts['currency'];
          continue;
        }
        row.conversions += sign;
        row.cents += sign * cents;
        row.unverified += proven ? 0 : sign;
        row.unverifiedCents += proven ? 0 : sign * cents;
      }
    }
    this.orders.set(id, sale);
    this.verify(id, sale);
  }

  /** What the backend has named of this order, for this user. */
  private verify(id: string, { user, keys, sold: lines }: Known): void {
    const [proof, refunded] = [this.proofs.get(id), this.refunded.has(id)];
    if (keys || !proof || proof.user !== user) return;
    for (const sold of lines) {
      const own = proof.lines.find(({ product }) => product === sold.product);
      if (!own || sold.proven || !sold.counted) continue;
      sold.row.unverified -= 1;
      sold.row.unverifiedCents -= sold.cents;
      const cents = refunded ? Math.min(own.cents, sold.cents) : own.cents;
      sold.row.cents += cents - sold.cents;
      Object.assign(sold, { proven: true, cents, quantity: refunded ? sold.quantity : own.quantity });
    }
  }
}
