import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../http/health/metrics';
import type { Store } from '../../stores/store';
import { LinkTokens } from '../links/link-tokens';
import { dayOf } from '../store-day';
import { ClickLedger, type ClickVerdict, type Interaction } from './click-ledger';
import { ProductPages } from './product-pages';

/** Where interactions come from, are kept, and lead to. */
@Injectable()
export class InteractionRecords {
  private readonly counted: Counter<'type' | 'verdict'>;

  constructor(
    readonly links: LinkTokens,
    readonly pages: ProductPages,
    private readonly ledger: ClickLedger,
    metrics: Metrics,
  ) {
    this.counted = new Counter({
      name: 'showcase_hits_total',
      help: 'Clicks and views on showcases, by what they counted as.',
      labelNames: ['type', 'verdict'] as const,
      registers: [metrics.registry],
    });
  }

  async record(hit: Interaction): Promise<ClickVerdict> {
    const verdict = await this.ledger.hit(hit);
    this.counted.inc({ type: hit.type, verdict });
    return verdict;
  }

  /** Nothing that is in it can be believed but whose link it was: what is not even that is no click of anybody's. */
  async recordForged({
    store,
    type,
    now,
  }: {
    store: Store | null;
    type: Interaction['type'];
    now: number;
  }): Promise<void> {
    this.counted.inc({ type, verdict: 'forged' });
    if (!store) return;
    await this.ledger.hit({
      store: store.id,
      type,
      campaign: '',
      product: '',
      placement: '',
      at: now,
      day: dayOf(now, store.settings.timeZone),
      issuedAt: now,
      shopper: null,
      verdict: 'forged',
      once: '',
      foreign: null,
      charge: null,
    });
  }
}
