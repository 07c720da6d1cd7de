/** Money that a click has taken and that is not yet known to be in the ledger. */
export interface OpenClaim {
  /** Names this one attempt. */
  claim: string;
  /** Where the click is to stand. */
  index: string;
  id: string;
  cost: number;
  day: string;
  /** Epoch ms. */
  at: number;
}

/** What a campaign has spent, open claims included; micros. */
export interface AccountBody {
  total: number;
  /** The last few days. */
  days: Record<string, number>;
  open: OpenClaim[];
}

export interface ClaimRequest extends OpenClaim {
  budget: number;
  dailyBudget: number | null;
}

/** `settled`: the click is in the ledger. `released`: it never will be. */
export type ClaimEnd = 'settled' | 'released';

export interface AccountPlan {
  body: AccountBody;
  /** For each request, whether it may be billed. */
  granted: boolean[];
  changed: boolean;
}

export const emptyAccount: AccountBody = { total: 0, days: {}, open: [] };

/** Days whose rollups are kept: those of replicas whose clocks differ about midnight, and one to spare. */
const DAYS_KEPT = 4;

/** Claims that have ended go, and new ones come in for as long as the budgets last. */
export function planAccount(
  before: AccountBody,
  requests: readonly ClaimRequest[],
  ended: ReadonlyMap<string, ClaimEnd>,
): AccountPlan {
  let { total } = before;
  const days = { ...before.days };
  const open: OpenClaim[] = [];
  for (const claim of before.open) {
    const end = ended.get(claim.claim);
    if (end === undefined) open.push(claim);
    if (end !== 'released') continue;
    total -= claim.cost;
    days[claim.day] = (days[claim.day] ?? 0) - claim.cost;
  }
  const granted = requests.map(({ budget, dailyBudget, ...claim }) => {
    const { cost, day } = claim;
    const today = days[day] ?? 0;
    if (total + cost > budget || (dailyBudget !== null && today + cost > dailyBudget)) return false;
    total += cost;
    days[day] = today + cost;
    open.push(claim);
    return true;
  });
  const kept = Object.entries(days).sort(([a], [b]) => (a < b ? 1 : -1));
  const changed = granted.includes(true) || open.length !== before.open.length;
  return { body: { total, days: Object.fromEntries(kept.slice(0, DAYS_KEPT)), open }, granted, changed };
}
