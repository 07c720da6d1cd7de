import type { ShopperKey } from '../../behaviour/shoppers/shopper';
import type { OrderState } from './order-state';
import type { OrderStep } from './orders';
import type { Rollup } from './rollup';

/** What became of an interaction. Every one is kept, and only `valid` ones count and are billed. `invalid`: billed first, and credited. */
export const VERDICTS = [
  'valid',
  'duplicate',
  'bot',
  'prefetch',
  'burst',
  'shared',
  'expired',
  'forged',
  'over_budget',
  'invalid',
] as const;
export type ClickVerdict = (typeof VERDICTS)[number];
/** What is known before the ledger is asked. Interactions of these verdicts are only kept. */
export type KnownVerdict = Exclude<ClickVerdict, 'valid' | 'duplicate' | 'shared' | 'over_budget' | 'invalid'>;

/** Why a click was found invalid. */
export const INVALID_REASONS = ['address', 'pace', 'no_view', 'agent'] as const;
export type InvalidReason = (typeof INVALID_REASONS)[number];

/** What a click costs, and what its campaign may spend. Micros. */
export interface Charge {
  cost: number;
  budget: number;
  dailyBudget: number | null;
}

/** What a campaign has spent. Micros. */
export interface Spent {
  total: number;
  today: number;
}

/** What is kept of where an interaction came from, for those who look for invalid ones later. Nothing where the store vouches for it. */
export interface Arrival {
  /** The address as a hash whose salt lasts a day (`DailyAddresses`). */
  address?: string;
  /** A coarse hash of the user agent. */
  agent?: string;
  /** A hash of the request that the link was handed out to: a view and a click of one page have the same. */
  request?: string;
  /** Its address had added its most to the click rates already. */
  unrated?: true;
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
  /** Who clicked. Null for a view. */
  shopper: ShopperKey | null;
  /** Null: the ledger decides. */
  verdict: KnownVerdict | null;
  /** Of all interactions with the same key one counts; opaque. */
  idempotencyKey: string;
  /** The link, where somebody else than its own user follows it; else null. It has `LINK_SLOTS` slots for those clicks. */
  sharedLink: string | null;
  charge: Charge | null;
  arrival?: Arrival;
}

/** How many clicks of one link by others than its own user count. */
export const LINK_SLOTS = 20;

/** An interaction as it is kept. */
export interface StoredInteraction
  extends
    Pick<Interaction, 'store' | 'type' | 'campaign' | 'product' | 'placement' | 'at' | 'day' | 'shopper'>,
    Arrival {
  verdict: ClickVerdict;
  /** Billed, in micros; of an `invalid` one: credited. */
  cost: number;
  /** Of an `invalid` one. */
  reason?: InvalidReason;
}

export type LedgerEntry =
  { type: 'interaction'; interaction: StoredInteraction } | { type: 'order'; order: OrderState };

/** What leaves the ledger: a whole store; entries of the days before one, whose rollups stay; or a shopper's name, whose entries stay. */
export type Removal = { store: string } & ({ all: true } | { before: string } | { shopper: ShopperKey });

/** Days of a store, both included. */
export interface LedgerDays {
  store: string;
  from: string;
  to: string;
}

/**
 * Clicks, views and orders of a showcase: what advertisers pay by. A call is durable when it resolves, and one that is repeated
 * because nobody heard the answer changes no rollup. What is billed to a campaign never exceeds its budgets, however many processes
 * write at once. Hidden: how that is made certain. Left out: where links come from, what an interaction looks like (bots, prefetches).
 */
export abstract class ClickLedger {
  /** Keeps an interaction under the verdict it came with, else as `duplicate`, `shared`, `over_budget` or `valid`, in this order. */
  abstract record(interaction: Interaction): Promise<ClickVerdict>;
  /** Takes an order, its confirmation, or a refund. Answers the order as it is then; null where there is none. */
  abstract order(step: OrderStep): Promise<OrderState | null>;
  /** What campaigns have spent, by their ids. `day`: the store's. */
  abstract spent(store: string, campaigns: readonly string[], day: string): Promise<Map<string, Spent>>;
  /** Rollups of everything acknowledged, each once. */
  abstract rollups(days: LedgerDays): Promise<Rollup[]>;
  /** Everything kept one by one, of one shopper or of all, a page at a time. */
  abstract entries(store: string, shopper?: ShopperKey): AsyncGenerator<LedgerEntry[]>;
  /** Answers the number of interactions and orders. */
  abstract remove(removal: Removal): Promise<number>;
  /** Ends claims of money that dead processes have left open, and answers their number. */
  abstract settleOrphanedClaims(): Promise<number>;
}
