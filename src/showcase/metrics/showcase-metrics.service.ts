import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { ClickLedger } from '../ledger/click-ledger';
import { toUnits } from '../micros';
import { addDays, dayOf } from '../store-day';
import type { MetricsPeriod } from './parameters';
import type { Rollup } from '../ledger/rollup';

/** Per campaign, product, placement and day. Money in units of the store's currency. */
export interface MetricsRow {
  /** Empty, as product and placement: what was forged belongs to no campaign. */
  campaign: string;
  product: string;
  placement: string;
  day: string;
  /** Once for each shopper in half an hour. */
  views: number;
  /** Those that were billed. */
  clicks: number;
  /** Clicks by view; 0 where there was no view. */
  ctr: number;
  conversions: number;
  /** Of the conversions, those that nobody with keys has confirmed. */
  unverified: number;
  revenue: number;
  unverifiedRevenue: number;
  spend: number;
  /** All that came. */
  gross: { views: number; clicks: number };
  /** Clicks by verdict; `currency`: conversions in another one. */
  verdicts: Record<string, number>;
}

/** Views of whole widgets, which are of no one product. */
export interface WidgetRow {
  placement: string;
  day: string;
  views: number;
  gross: number;
}

export interface ShowcaseMetrics {
  /** Days of the store, both included. */
  from: string;
  to: string;
  rows: MetricsRow[];
  widgets: WidgetRow[];
}

/** Days where the caller names no first one. */
const USUAL_DAYS = 30;

/** What advertisers pay by. */
@Injectable()
export class ShowcaseMetricsService {
  constructor(
    private readonly ledger: ClickLedger,
    private readonly clock: Clock,
  ) {}

  async metrics(store: Store, period: MetricsPeriod): Promise<ShowcaseMetrics> {
    const { from, to } = this.days(store, period);
    const rollups = await this.ledger.rollups({ store: store.id, from, to });
    return { from, to, ...rowsOf(rollups) };
  }

  /** Times become the store's days. */
  days({ settings }: Store, { from, to }: MetricsPeriod): { from: string; to: string } {
    const dayIn = (time: MetricsPeriod['to']): string | undefined =>
      typeof time === 'number' ? dayOf(time, settings.timeZone) : time;
    const last = dayIn(to) ?? dayOf(this.clock.now(), settings.timeZone);
    return { from: dayIn(from) ?? addDays(last, 1 - USUAL_DAYS), to: last };
  }
}

export function rowsOf(rollups: readonly Rollup[]): { rows: MetricsRow[]; widgets: WidgetRow[] } {
  const rows = new Map<string, MetricsRow>();
  const widgets = new Map<string, WidgetRow>();
  for (const measure of rollups) {
    const { campaign, product, placement, day } = measure;
    if (campaign === '' && placement !== '') {
      const name = JSON.stringify([day, placement]);
      const row = widgets.get(name) ?? { placement, day, views: 0, gross: 0 };
      widgets.set(name, row);
      row.gross += measure.count;
      if (measure.measure === 'view/valid') row.views += measure.count;
      continue;
    }
    const name = JSON.stringify([day, campaign, product, placement]);
    const row = rows.get(name) ?? emptyRow({ campaign, product, placement, day });
    rows.set(name, row);
    addTo(row, measure);
  }
  for (const row of rows.values()) {
    row.ctr = row.views > 0 ? row.clicks / row.views : 0;
    for (const amount of ['revenue', 'unverifiedRevenue', 'spend'] as const) row[amount] = toUnits(row[amount]);
  }
  return {
    rows: [...rows].sort(byName).map(([, row]) => row),
    widgets: [...widgets].sort(byName).map(([, row]) => row),
  };
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

function emptyRow(place: Pick<MetricsRow, 'campaign' | 'product' | 'placement' | 'day'>): MetricsRow {
  return {
    ...place,
    views: 0,
    clicks: 0,
    ctr: 0,
    conversions: 0,
    unverified: 0,
    revenue: 0,
    unverifiedRevenue: 0,
    spend: 0,
    gross: { views: 0, clicks: 0 },
    verdicts: {},
  };
}

/** Money in micros. */
function addTo(row: MetricsRow, { measure, count, micros }: Rollup): void {
  const [type, verdict = ''] = measure.split('/');
  const isValid = verdict === 'valid';
  if (type === 'view') {
    row.gross.views += count;
    if (isValid) row.views += count;
  } else if (type === 'click') {
    row.gross.clicks += count;
    row.verdicts[verdict] = (row.verdicts[verdict] ?? 0) + count;
    row.spend += micros;
    if (isValid) row.clicks += count;
  } else if (isValid) {
    row.conversions += count;
    row.revenue += micros;
  } else if (verdict === 'unverified') {
    row.unverified += count;
    row.unverifiedRevenue += micros;
  } else row.verdicts[verdict] = (row.verdicts[verdict] ?? 0) + count;
}
