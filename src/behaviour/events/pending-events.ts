import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import { type AppendResult, EventLog, type NewEvent } from './event-log';
import { EventMetrics } from './event-metrics';
import { EvidenceBuilder } from './evidence-builder';

/** Events that wait for products the catalog does not have yet. */
@Injectable()
export class PendingEvents {
  constructor(
    private readonly log: EventLog,
    private readonly records: CatalogRecords,
    private readonly evidence: EvidenceBuilder,
    private readonly metrics: EventMetrics,
  ) {}

  /** Called after products were written; the number of events that count now. */
  async productsArrived(store: string, productIds: string[]): Promise<number> {
    if (productIds.length === 0) return 0;
    return this.log.completePending(store, productIds, (event) => this.evidence.complete(event));
  }

  /** Appends events of a store. A product may have arrived between the look at the catalog and that, so it is looked again.
   * `since`: when a live event arrived, on the clock of `performance.now()`. */
  async append(store: string, events: NewEvent[], since?: number): Promise<AppendResult[]> {
    const results = await this.log.append(events);
    this.metrics.observe(events, results);
    const ranked = results.some(({ outcome }, at) => outcome === 'stored' && events[at]?.verdict === 'counted');
    if (since !== undefined && ranked) this.metrics.ranked(since);
    const missing = new Set(events.flatMap(({ pendingProducts }) => pendingProducts));
    if (missing.size > 0) {
      const known = await this.records.features(store, [...missing]);
      await this.productsArrived(store, [...known.keys()]);
    }
    return results;
  }
}
