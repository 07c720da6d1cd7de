import type { Charge, ClickVerdict, Interaction, LedgerEntry, Spent, StoredInteraction } from './click-ledger';
import { rollupsOfOrder } from './orders';
import type { Rollup } from './rollup';

/** Days whose spending is kept day by day: about midnight, clocks of replicas differ. The others are to spare. */
const DAYS_KEPT = 4;

/** Whether one more click stays within the budgets of its campaign. */
export function canPay({ cost, budget, dailyBudget }: Charge, { total, today }: Spent): boolean {
  return total + cost <= budget && (dailyBudget === null || today + cost <= dailyBudget);
}

/** The last days: budgets of earlier ones are over. */
export function lastDays(days: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(days)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .slice(-DAYS_KEPT),
  );
}

/** Whether an interaction of this verdict uses up its idempotency key. Any other may repeat. */
export const usesKey = (verdict: ClickVerdict): boolean => verdict === 'valid' || verdict === 'over_budget';

export function storedInteraction(interaction: Interaction, verdict: ClickVerdict): StoredInteraction {
  const { store, type, campaign, product, placement, at, day, shopper, charge } = interaction;
  const cost = verdict === 'valid' ? (charge?.cost ?? 0) : 0;
  return { store, type, verdict, campaign, product, placement, at, day, shopper, cost };
}

export function rollupOfInteraction(interaction: StoredInteraction): Rollup {
  const { campaign, product, placement, day, type, verdict, cost } = interaction;
  return { campaign, product, placement, day, measure: `${type}/${verdict}`, count: 1, micros: cost };
}

/** What one entry of the ledger adds to the rollups. */
export function rollupsOf(entry: LedgerEntry): Rollup[] {
  return entry.type === 'order' ? rollupsOfOrder(entry.order) : [rollupOfInteraction(entry.interaction)];
}
