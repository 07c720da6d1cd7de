import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { ClickLedger } from '../ledger/click-ledger';
import { toUnits } from '../../shared/micros';
import type { LedgerReport } from './reply-schemas';
import { dayOf } from '../../stores/store-day';
import { rollupsOf } from '../ledger/ledger-rules';
import { addTo, type Rollup, rollupKey } from '../ledger/rollup';

type Difference = LedgerReport['differences'][number];

const MOST_LISTED = 1000;
const ALWAYS = { from: '0000-01-01', to: '9999-12-31' };

/** Adds up the entries of the ledger and compares the result with the metrics and with what counts against budgets. */
@Injectable()
export class LedgerCheck {
  constructor(
    private readonly ledger: ClickLedger,
    private readonly clock: Clock,
  ) {}

  async check(store: Store): Promise<LedgerReport> {
    const rollups = new Map<string, Rollup>();
    let entries = 0;
    for await (const page of this.ledger.entries(store.id)) {
      entries += page.length;
      for (const entry of page) for (const row of rollupsOf(entry)) addTo(rollups, row);
    }
    const metrics = await this.ledger.rollups({ store: store.id, ...ALWAYS });
    const first = firstDay(rollups.values());
    // Of days before the first entry only rollups are left.
    const comparable = metrics.filter(({ day }) => day >= first);
    const differences = differencesOf(rollups, comparable);
    const spend = await this.spendOf(store, metrics);
    return {
      consistent: differences.length === 0 && spend.length === 0,
      entries,
      sums: comparable.length,
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
    const spent = await this.ledger.spent(store.id, [...billed.keys()], day);
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
  const counted = new Map(metrics.map((row) => [rollupKey(row), row]));
  return [...new Set([...rollups.keys(), ...counted.keys()])].flatMap((key) => {
    const [ledger, metric] = [rollups.get(key), counted.get(key)];
    const row = ledger ?? metric;
    if (!row || (ledger?.count === metric?.count && ledger?.micros === metric?.micros)) return [];
    const { campaign, product, placement, day, measure } = row;
    return [{ campaign, product, placement, day, measure, ledger: amountsOf(ledger), metrics: amountsOf(metric) }];
  });
}

const amountsOf = (row: Rollup | undefined): Difference['ledger'] => ({
  count: row?.count ?? 0,
  amount: toUnits(row?.micros ?? 0),
});
