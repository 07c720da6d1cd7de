import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock';
import type { Store } from '../../stores/store';
import type { Campaign } from '../campaigns/campaign';
import { ClickLedger, type Spent } from '../clicks/click-ledger';
import { toMicros } from '../micros';
import { dayOf } from '../store-day';

/** Milliseconds. A click on what is shown a moment too long is over its budget, and free. */
const FRESH_MS = 1000;

interface Kept {
  day: string;
  spent: Map<string, Spent>;
  readAt: number;
}

/** Which campaigns can still pay for a click. */
@Injectable()
export class Budgets {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly ledger: ClickLedger,
    private readonly clock: Clock,
  ) {}

  /** What was spent as of a second ago, at most. */
  async spent(store: Store, campaigns: readonly Campaign[]): Promise<ReadonlyMap<string, Spent>> {
    const day = dayOf(this.clock.now(), store.settings.timeZone);
    const kept = this.kept.get(store.id);
    const known = kept && kept.day === day && performance.now() - kept.readAt < FRESH_MS;
    if (known && campaigns.every(({ id }) => kept.spent.has(id))) return kept.spent;
    const readAt = performance.now();
    const spent = await this.ledger.spent({ store: store.id, campaigns: campaigns.map(({ id }) => id), day });
    this.kept.set(store.id, { day, spent, readAt });
    return spent;
  }
}

export function canPay({ bid, budget, dailyBudget }: Campaign, spent: Spent | undefined): boolean {
  const { total = 0, today = 0 } = spent ?? {};
  const cost = toMicros(bid);
  if (total + cost > toMicros(budget)) return false;
  return dailyBudget === undefined || today + cost <= toMicros(dailyBudget);
}
