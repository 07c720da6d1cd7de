import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { Metrics } from '../../http/health/metrics';
import type { AppendResult, NewEvent } from './event-log';

/** How many events come in and what they count as, and how soon searches rank with them. */
@Injectable()
export class EventMetrics {
  private readonly events: Counter<'verdict'>;
  private readonly delay: Histogram;

  constructor(metrics: Metrics) {
    this.events = new Counter({
      name: 'events_total',
      help: 'Events by their verdict; duplicate and erased ones were not kept.',
      labelNames: ['verdict'] as const,
      registers: [metrics.registry],
    });
    this.delay = new Histogram({
      name: 'event_to_ranking_seconds',
      help: 'Seconds from the arrival of an event that counts until it is durable and every search ranks with it.',
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
      registers: [metrics.registry],
    });
  }

  /** `since`: when they came in, as `performance.now()`; absent where nobody waits for them. */
  observe(events: readonly NewEvent[], results: readonly AppendResult[], since?: number): void {
    let ranked = false;
    results.forEach(({ outcome }, index) => {
      const verdict = outcome === 'stored' ? (events[index]?.verdict ?? 'counted') : outcome;
      this.events.inc({ verdict });
      ranked ||= verdict === 'counted';
    });
    if (since !== undefined && ranked) this.delay.observe((performance.now() - since) / 1000);
  }
}
