import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { ClickLedger } from '../ledger/click-ledger';
import { toUnits } from '../micros';
import { dayOf } from '../store-day';
import { rollupsOf } from '../ledger/ledger-rules';
import { addTo, type Rollup, rollupKey, rollUp } from '../ledger/rollup';

/** A sum that the entries do not add up to. Money in units of the store's currency. */
export interface Difference {
  campaign: string;
  product: string;
  placement: string;
  day: string;
  measure: string;
  ledger: { count: number; amount: number };
  metrics: { count: number; amount: number };
}

export interface LedgerReport {
  /** Whether everything adds up. */
  consistent: boolean;
  /** Interactions and orders that were added up. */
  entries: number;
  rollups: number;
  differences: Difference[];
  /** Campaigns whose clicks do not add up to what counts against their budgets. */
  spend: { campaign: string; ledger: number; account: number }[];
}

const MOST_LISTED = 1000;
const ALWAYS = { from: '0000-01-01', to: '9999-12-31' };

/** Adds the ledger up anew and compares with what the metrics say, and with what was counted against budgets. */
@Injectable()
export class LedgerCheck {
  constructor(
    private readonly ledger: ClickLedger,
    private readonly clock: Clock,
  ) {}

  async check(store: Store): Promise<LedgerReport> {
    const rollups = new Map<string, Rollup>();
    let entries = 0;
    for await (const page of this.ledger.entries({ store: store.id })) {
      entries += page.length;
      for (const entry of page) for (const row of rollupsOf(entry)) addTo(rollups, row);
    }
    const metrics = rollUp(await this.ledger.rollups({ store: store.id, ...ALWAYS }));
    const first = firstDay(rollups.values());
    // Entries of days before the first one that is kept have gone; their rollups are all there is.
    const comparable = metrics.filter(({ day }) => day >= first);
    const differences = differencesOf(rollups, comparable);
    const spend = await this.spendOf(store, metrics);
    return {
      consistent: differences.length === 0 && spend.length === 0,
      entries,
      rollups: comparable.length,
      differences: differences.slice(0, MOST_LISTED),
      spend,
    };
  }

  private async spendOf(store: Store, metrics: readonly Rollup[]): Promise<LedgerReport['spend']> {
    const billed = new Map<string, number>();
    for (const { campaign, measure, micros } of metrics) {
      if (measure === 'click/valid') billed.set(campaign, (billed.get(campaign) ?? 0) + micros);
    }
    const day = dayOf(this.clock.now(), store.settings.timeZone);
    const spent = await this.ledger.spent({ store: store.id, campaigns: [...billed.keys()], day });
    return [...billed].flatMap(([campaign, micros]) => {
      const account = spent.get(campaign)?.total ?? 0;
      return account === micros ? [] : [{ campaign, ledger: toUnits(micros), account: toUnits(account) }];
    });
  }
}

function firstDay(rows: Iterable<Rollup>): string {
  let first = ALWAYS.to;
  for (const { day } of rows) if (day < first) first = day;
  return first;
}

function differencesOf(rollups: ReadonlyMap<string, Rollup>, metrics: readonly Rollup[]): Difference[] {
  const known = new Map(metrics.map((row) => [rollupKey(row), row]));
  const names = new Set([...rollups.keys(), ...known.keys()]);
  return [...names].flatMap((name) => {
    const [own, other] = [rollups.get(name), known.get(name)];
    const row = own ?? other;
    if (!row || (own?.count === other?.count && own?.micros === other?.micros)) return [];
    const { campaign, product, placement, day, measure } = row;
    const amounts = (one: Rollup | undefined) => ({ count: one?.count ?? 0, amount: toUnits(one?.micros ?? 0) });
    return [{ campaign, product, placement, day, measure, ledger: amounts(own), metrics: amounts(other) }];
  });
}
