import type { OrderState } from './order-state';
import type { StoredInteraction } from './click-ledger';
import { lastDays } from './ledger-rules';
import type { Rollup } from './rollup';

/* The ledger in an export. Fields have the names of the export file, and one order, so that exports of the same are the same text. */

export const LEDGER_ENTRIES = ['hit', 'order', 'spend', 'sum'] as const;

export type InteractionLine = ReturnType<typeof interactionLine>;
export type SpendLine = ReturnType<typeof spendLine>;
export type RollupLine = ReturnType<typeof rollupLine>;
export type LedgerArchiveEntry = InteractionLine | { type: 'order'; order: OrderState } | SpendLine | RollupLine;

/** `id`: its name in its store, which is its idempotency key, if it counts. `issuedAt`: when its link was handed out. */
export function interactionLine(id: string, issuedAt: number, interaction: StoredInteraction) {
  const { store, type, verdict, campaign, product, placement, at, day, shopper, cost } = interaction;
  const { address, agent, request, unrated, reason } = interaction;
  const hit: StoredInteraction = {
    store,
    type,
    verdict,
    campaign,
    product,
    placement,
    at,
    day,
    shopper,
    cost,
    ...(address === undefined ? {} : { address }),
    ...(agent === undefined ? {} : { agent }),
    ...(request === undefined ? {} : { request }),
    ...(unrated === undefined ? {} : { unrated }),
    ...(reason === undefined ? {} : { reason }),
  };
  return { type: 'hit' as const, id, issuedAt, hit };
}

/** What a campaign has spent, in micros: in all, and on the last days. */
export function spendLine(store: string, campaign: string, spent: { total: number; days: Record<string, number> }) {
  return { type: 'spend' as const, store, campaign, total: spent.total, days: lastDays(spent.days) };
}

/** A rollup of a day whose entries have gone. */
export function rollupLine(store: string, rollup: Rollup) {
  const { campaign, product, placement, day, measure, count, micros } = rollup;
  const row: Rollup = { campaign, product, placement, day, measure, count, micros };
  return { type: 'sum' as const, store, row };
}
