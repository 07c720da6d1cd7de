import type { ShopperKey } from '../../behaviour/shoppers/shopper';
import type { OrderState, OrderStep } from './orders';
import type { Rollup } from './rollup';

/** What became of a click. Only `valid` ones are billed and counted; every one is kept and followed to the product. */
export type ClickVerdict =
  'valid' | 'duplicate' | 'bot' | 'prefetch' | 'burst' | 'shared' | 'expired' | 'forged' | 'over_budget';

/** What a click costs, and what its campaign may spend. Micros. */
export interface Charge {
  cost: number;
  budget: number;
  dailyBudget: number | null;
}

/** A click, or a view: of a card, or of a whole widget, which has neither campaign nor product. */
export interface Interaction {
  store: string;
  type: 'click' | 'view';
  campaign: string;
  product: string;
  placement: string;
  /** When it came: epoch milliseconds, and the store's day. */
  at: number;
  day: string;
  /** When its link was handed out. */
  issuedAt: number;
  /** Of a click: whose it is. Views are nobody's. */
  shopper: ShopperKey | null;
  /** What is known before: then it is only kept. Null: the ledger decides. */
  verdict: ClickVerdict | null;
  /** Under which it counts once for ever; opaque. */
  once: string;
  /** By somebody the link was not made for: the link, which has places for `MOST_FOREIGN` of those. */
  foreign: string | null;
  charge: Charge | null;
}

/** Clicks of one link by others than its own user that count. */
export const MOST_FOREIGN = 20;

/** An interaction as it is kept. */
export interface StoredInteraction extends Pick<
  Interaction,
  'store' | 'type' | 'campaign' | 'product' | 'placement' | 'at' | 'day' | 'shopper'
> {
  verdict: ClickVerdict;
  /** Billed, in micros. */
  cost: number;
}

export type LedgerEntry = { type: 'hit'; hit: StoredInteraction } | { type: 'order'; order: OrderState };

export interface Spent {
  /** Micros. */
  total: number;
  today: number;
}

/** What leaves the ledger: all of a store; days before one, whose rollups stay; or a shopper's name, while what they did stays counted. */
export type Removal = { store: string } & ({ all: true } | { before: string } | { shopper: ShopperKey });

/**
 * Clicks, views and orders of a showcase: what advertisers pay by. A call is durable when it resolves, and one that is repeated
 * because nobody heard the answer changes no sum. What is billed to a campaign never exceeds its budgets, however many processes
 * write at once. Hidden: how that is made certain. Left out: where links come from, what an interaction looks like (bots, prefetches).
 */
export abstract class ClickLedger {
  /** Keeps an interaction and says what it counts as: the verdict it came with, else `duplicate`, `shared`, `over_budget` or `valid`, in this order. */
  abstract hit(hit: Interaction): Promise<ClickVerdict>;
  /** An order, its confirmation, or a refund; the order as it is known afterwards, null where nothing is. */
  abstract order(step: OrderStep): Promise<OrderState | null>;
  /** What campaigns have spent. */
  abstract spent(query: { store: string; campaigns: readonly string[]; day: string }): Promise<Map<string, Spent>>;
  /** Rollups of everything acknowledged, of days from `from` to `to`. */
  abstract totals(query: { store: string; from: string; to: string }): Promise<Rollup[]>;
  /** Everything kept one by one, a page at a time; of one shopper, or of all. */
  abstract entries(query: { store: string; shopper?: ShopperKey }): AsyncGenerator<LedgerEntry[]>;
  /** The number of interactions and orders. */
  abstract remove(removal: Removal): Promise<number>;
  /** Finishes what processes that died have left half done; how much that was. */
  abstract settle(): Promise<number>;
}
