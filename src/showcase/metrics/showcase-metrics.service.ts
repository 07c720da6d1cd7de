import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { ClickLedger } from '../ledger/click-ledger';
import { toUnits } from '../../shared/micros';
import type { MetricsRow, ShowcaseMetrics } from './reply-schemas';
import { daysOf, type MetricsPeriod } from '../../stores/metrics-period';
import type { Rollup } from '../ledger/rollup';

const AMOUNTS = ['revenue', 'unverifiedRevenue', 'spend', 'credited'] as const;

/** What advertisers pay by. */
@Injectable()
export class ShowcaseMetricsService {
  constructor(
    private readonly ledger: ClickLedger,
    private readonly clock: Clock,
  ) {}

  async metrics(store: Store, period: MetricsPeriod): Promise<ShowcaseMetrics> {
    const { from, to } = daysOf(period, { timeZone: store.settings.timeZone, now: this.clock.now() });
    const rollups = await this.ledger.rollups({ store: store.id, from, to });
    return { from, to, ...rowsOf(rollups) };
  }
}

function rowsOf(rollups: readonly Rollup[]): Pick<ShowcaseMetrics, 'rows' | 'widgets'> {
  const rows = new Map<string, MetricsRow>();
  const widgets = new Map<string, ShowcaseMetrics['widgets'][number]>();
  for (const rollup of rollups) {
    const { campaign, product, placement, day, measure, count } = rollup;
    if (campaign === '' && placement !== '') {
      const key = JSON.stringify([day, placement]);
      const row = widgets.get(key) ?? { placement, day, views: 0, gross: 0 };
      widgets.set(key, row);
      row.gross += count;
      if (measure === 'view/valid') row.views += count;
      continue;
    }
    const key = JSON.stringify([day, campaign, product, placement]);
    const row = rows.get(key) ?? emptyRow({ campaign, product, placement, day });
    rows.set(key, row);
    addRollup(row, rollup);
  }
  for (const row of rows.values()) {
    row.ctr = row.views > 0 ? row.clicks / row.views : 0;
    for (const amount of AMOUNTS) row[amount] = toUnits(row[amount]);
  }
  return { rows: sorted(rows), widgets: sorted(widgets) };
}

const sorted = <T>(rows: ReadonlyMap<string, T>): T[] =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);

function emptyRow(dimensions: Pick<MetricsRow, 'campaign' | 'product' | 'placement' | 'day'>): MetricsRow {
  const counts = { views: 0, clicks: 0, ctr: 0, conversions: 0, unverified: 0 };
  const money = { revenue: 0, unverifiedRevenue: 0, spend: 0, credited: 0 };
  return { ...dimensions, ...counts, ...money, gross: { views: 0, clicks: 0 }, verdicts: {}, invalid: {} };
}

/** Money in micros. */
function addRollup(row: MetricsRow, { measure, count, micros }: Rollup): void {
  const [type, verdict = '', reason] = measure.split('/');
  // Counted as valid, too.
  if (verdict === 'unrated') return;
  const isValid = verdict === 'valid';
  if (type === 'view') {
    row.gross.views += count;
    if (isValid) row.views += count;
    return;
  }
  if (type === 'click') {
    row.gross.clicks += count;
    row[reason === undefined ? 'spend' : 'credited'] += micros;
    if (isValid) row.clicks += count;
    if (reason !== undefined) row.invalid[reason] = (row.invalid[reason] ?? 0) + count;
  } else if (isValid) {
    row.conversions += count;
    row.revenue += micros;
    return;
  } else if (verdict === 'unverified') {
    row.unverified += count;
    row.unverifiedRevenue += micros;
    return;
  }
  row.verdicts[verdict] = (row.verdicts[verdict] ?? 0) + count;
}
