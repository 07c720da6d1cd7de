import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../http/health/metrics';
import { JobQueue } from '../../jobs/job-queue';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { StoresService } from '../../stores/stores.service';
import { CampaignsService } from '../campaigns/campaigns.service';
import { ClickCredits, type FoundInvalid, type NamedInteraction } from '../ledger/click-credits';
import { limitsOf } from '../links/burst-guard';
import { addDays, dayOf } from '../../stores/store-day';
import { findInvalid } from './invalid-traffic';
import { SeenViews } from './seen-views';

const HOUR = 3_600_000;

/** Looks at the clicks of today and yesterday every hour, and has those that are invalid credited. */
@Injectable()
export class TrafficReview implements OnModuleInit {
  private readonly credited: Counter<'reason'>;

  constructor(
    private readonly credits: ClickCredits,
    private readonly campaigns: CampaignsService,
    private readonly stores: StoresService,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.credited = new Counter({
      name: 'showcase_invalid_clicks_total',
      help: 'Clicks on showcases that were found invalid, by what speaks against them.',
      labelNames: ['reason'] as const,
      registers: [metrics.registry],
    });
  }

  onModuleInit(): void {
    this.jobs.process('showcase.review', ({ signal }) => this.reviewAll(signal));
    this.jobs.every('showcase.review', HOUR);
  }

  private async reviewAll(signal: AbortSignal): Promise<{ credited: number }> {
    let credited = 0;
    for (const store of this.stores.all()) {
      if (signal.aborted) break;
      if (store.settings.showcase?.creditInvalid === false || this.campaigns.of(store.id).size === 0) continue;
      const today = dayOf(this.clock.now(), store.settings.timeZone);
      for (const day of [addDays(today, -1), today]) credited += await this.review(store, day);
    }
    return { credited };
  }

  private async review(store: Store, day: string): Promise<number> {
    const clicks: NamedInteraction[] = [];
    for await (const page of this.credits.clicks({ store: store.id, from: day, to: day })) clicks.push(...page);
    const views = new SeenViews(clicks);
    // What is clicked just after midnight was shown before.
    const days = { store: store.id, from: addDays(day, -1), to: day };
    if (clicks.length > 0) for await (const page of this.credits.views(days)) views.add(page);
    const reasons = findInvalid(clicks, views, limitsOf(store));
    const found = clicks.flatMap(({ id, issuedAt, interaction }): FoundInvalid[] => {
      const reason = reasons.get(id);
      return reason && interaction.verdict === 'valid' ? [{ id, issuedAt, reason }] : [];
    });
    // Also where nothing is found: it ends what an earlier one has left open.
    const credited = await this.credits.credit(store.id, found);
    for (const { reason } of found) this.credited.inc({ reason });
    return credited;
  }
}
