import type {
  Charge,
  ClickVerdict,
  Interaction,
  InvalidReason,
  LedgerEntry,
  Spent,
  StoredInteraction,
} from './click-ledger';
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

const USE_KEYS: ReadonlySet<ClickVerdict> = new Set(['valid', 'over_budget', 'invalid']);

/** Whether an interaction of this verdict uses up its idempotency key. Any other may repeat. */
export const usesKey = (verdict: ClickVerdict): boolean => USE_KEYS.has(verdict);

export function storedInteraction(interaction: Interaction, verdict: ClickVerdict): StoredInteraction {
  const { store, type, campaign, product, placement, at, day, shopper, charge, arrival } = interaction;
  const cost = verdict === 'valid' ? (charge?.cost ?? 0) : 0;
  return { store, type, verdict, campaign, product, placement, at, day, shopper, cost, ...arrival };
}

/** What a billed click becomes when it is credited. */
export function creditedInteraction(interaction: StoredInteraction, reason: InvalidReason): StoredInteraction {
  return { ...interaction, verdict: 'invalid', reason };
}

/** The measure under which an interaction is counted. */
export function measureOf({ type, verdict, reason }: Pick<StoredInteraction, 'type' | 'verdict' | 'reason'>): string {
  return reason === undefined ? `${type}/${verdict}` : `${type}/${verdict}/${reason}`;
}

/** One that counts and does not count for click rates is in two rollups. */
export function rollupsOfInteraction(interaction: StoredInteraction): Rollup[] {
  const { campaign, product, placement, day, type, verdict, cost, unrated } = interaction;
  const row = { campaign, product, placement, day, count: 1 };
  const counted = { ...row, measure: measureOf(interaction), micros: cost };
  if (!unrated || verdict !== 'valid') return [counted];
  return [counted, { ...row, measure: `${type}/unrated`, micros: 0 }];
}

/** What one entry of the ledger adds to the rollups. */
export function rollupsOf(entry: LedgerEntry): Rollup[] {
  return entry.type === 'order' ? rollupsOfOrder(entry.order) : rollupsOfInteraction(entry.interaction);
}
