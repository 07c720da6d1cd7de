import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../http/health/metrics';
import type { Store } from '../../stores/store';
import { dayOf } from '../../stores/store-day';
import { BudgetAlerts } from './budget-alerts';
import { ClickLedger, type ClickVerdict, type Interaction } from './click-ledger';

/** Keeps interactions in the ledger, and counts for operators what became of them. */
@Injectable()
export class InteractionRecords {
  private readonly counted: Counter<'type' | 'verdict'>;

  constructor(
    private readonly ledger: ClickLedger,
    private readonly alerts: BudgetAlerts,
    metrics: Metrics,
  ) {
    this.counted = new Counter({
      name: 'showcase_hits_total',
      help: 'Clicks and views on showcases, by what they counted as.',
      labelNames: ['type', 'verdict'] as const,
      registers: [metrics.registry],
    });
  }

  async record(interaction: Interaction): Promise<ClickVerdict> {
    const verdict = await this.ledger.record(interaction);
    this.counted.inc({ type: interaction.type, verdict });
    this.alerts.clicked(interaction, verdict);
    return verdict;
  }

  /** Of a forged link only the store can be believed; null where not even that is known. */
  async recordForged(store: Store | null, type: Interaction['type'], at: number): Promise<void> {
    this.counted.inc({ type, verdict: 'forged' });
    if (!store) return;
    const day = dayOf(at, store.settings.timeZone);
    const unknown = { campaign: '', product: '', placement: '', shopper: null, idempotencyKey: '' };
    const free = { sharedLink: null, charge: null };
    await this.ledger.record({ ...unknown, ...free, store: store.id, type, at, day, issuedAt: at, verdict: 'forged' });
  }
}
