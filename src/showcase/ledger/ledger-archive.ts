import type { LedgerEntry, StoredInteraction } from './click-ledger';
import { lastDays } from './ledger-rules';
import type { Rollup } from './rollup';

/** The ledger in an export. Types and fields have the names of the export file. */
export type LedgerArchiveEntry =
  | InteractionLine
  /** An order that follows from clicks. */
  | Extract<LedgerEntry, { type: 'order' }>
  | SpendLine
  | RollupLine;

/** An interaction. */
export interface InteractionLine {
  type: 'hit';
  /** Its name in its store: its idempotency key, if it counts. */
  id: string;
  /** When its link was handed out. */
  issuedAt: number;
  hit: StoredInteraction;
}

/** What a campaign has spent, in micros: in all, and on the last days. */
export interface SpendLine {
  type: 'spend';
  store: string;
  campaign: string;
  total: number;
  days: Record<string, number>;
}

/** A rollup of a day whose clicks have gone. */
export interface RollupLine {
  type: 'sum';
  store: string;
  row: Rollup;
}

export const LEDGER_ENTRIES = ['hit', 'order', 'spend', 'sum'] as const;

/* Fields have one order, so that exports of the same are the same text. */

export function interactionLine(id: string, issuedAt: number, interaction: StoredInteraction): InteractionLine {
  const { store, type, verdict, campaign, product, placement, at, day, shopper, cost } = interaction;
  const hit = { store, type, verdict, campaign, product, placement, at, day, shopper, cost };
  return { type: 'hit', id, issuedAt, hit };
}

export function spendLine(
  store: string,
  campaign: string,
  spent: { total: number; days: Record<string, number> },
): SpendLine {
  return { type: 'spend', store, campaign, total: spent.total, days: lastDays(spent.days) };
}

export function rollupLine(
  store: string,
  { campaign, product, placement, day, measure, count, micros }: Rollup,
): RollupLine {
  return { type: 'sum', store, row: { campaign, product, placement, day, measure, count, micros } };
}
