import type { Charge } from '../../click-ledger';
import { canPay, lastDays } from '../../ledger-rules';

/** Money taken for a click that may not be in the ledger yet. */
export interface OpenClaim {
  /** A random name. */
  claim: string;
  /** The location of the click. */
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
  /** Clicks whose money was given back, until they are known to have ended; absent: none. */
  credited?: Pick<OpenClaim, 'index' | 'id'>[];
}

export type ClaimRequest = OpenClaim & Charge;

/** `settled`: the click is in the ledger. `released`: it never will be. */
export type ClaimEnd = 'settled' | 'released';

export const emptyAccount: AccountBody = { total: 0, days: {}, open: [] };

/** When the oldest open claim was made; 0: none is open. */
export const openSince = ({ open }: AccountBody): number =>
  open.length === 0 ? 0 : Math.min(...open.map(({ at }) => at));

/**
 * Takes off claims that have ended and grants new ones as far as the budgets go. `granted`: for each request, whether it may be billed.
 */
export function planAccount(
  before: AccountBody,
  requests: readonly ClaimRequest[],
  ended: ReadonlyMap<string, ClaimEnd>,
) {
  let { total } = before;
  const days = { ...before.days };
  const open = before.open.filter(({ claim }) => !ended.has(claim));
  for (const { claim, cost, day } of before.open) {
    if (ended.get(claim) !== 'released') continue;
    total -= cost;
    days[day] = (days[day] ?? 0) - cost;
  }
  const granted = requests.map(({ budget, dailyBudget, ...claim }) => {
    const { cost, day } = claim;
    const today = days[day] ?? 0;
    if (!canPay({ cost, budget, dailyBudget }, { total, today })) return false;
    total += cost;
    days[day] = today + cost;
    open.push(claim);
    return true;
  });
  const changed = granted.includes(true) || open.length !== before.open.length;
  const body: AccountBody = { ...before, total, days: lastDays(days), open };
  return { body, granted, changed };
}
