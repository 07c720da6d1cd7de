import type { ShopperKey } from '../../behaviour/shoppers/shopper';

/** The click that an order follows from. */
export interface LastClick {
  campaign: string;
  placement: string;
}

export interface OrderLine {
  product: string;
  quantity: number;
  /** Of the whole quantity, in micros. */
  amount: number;
}

/** What a store's backend has named of an order: the only thing that verifies what a page has said of it. */
export interface Proof {
  /** Keyed hashes of who bought, as a user and as a device. Empty: nobody is named. */
  buyers: string[];
  /** One for each product. */
  lines: ProofLine[];
  /** Of the whole order, in micros; null: not said. */
  total: number | null;
}

export interface ProofLine {
  product: string;
  quantity: number;
  /** Of the whole quantity, in micros; null: not said. */
  amount: number | null;
}

/** What somebody says of an order that another one was first to claim. Counts for nothing. */
export interface Claim extends Pick<OrderState, 'at' | 'day' | 'lines'> {
  buyer: string;
}

/** Whose an order is. */
export interface Named {
  /** Who clicked; null where nobody did, or they are forgotten. */
  shopper: ShopperKey | null;
  /** A keyed hash of who bought. Absent in orders of earlier versions. */
  buyer?: string | null;
}

/** A product of an order that follows from a click. */
export interface SoldLine extends OrderLine, LastClick {
  verdict: 'valid' | 'currency';
  /** Named with keys, where the order was not sold with keys as a whole. */
  proven?: true;
}

export interface OrderState extends Named {
  store: string;
  order: string;
  /** When it was counted; where it is only confirmed so far, when it was confirmed. */
  at: number;
  day: string;
  /** Whether a sale has come: an order counts once. */
  seen: boolean;
  /** Whether it was sold with keys: from then on, only refunds change it. */
  proven: boolean;
  lines: SoldLine[];
  /** The last refund: one that is sent twice counts once. */
  refund: { content: string; at: number } | null;
  /** What the store's backend has named of it. */
  proof?: Proof;
  /** What others say of it without keys: kept in case a proof names one of them. */
  claims?: Claim[];
}
