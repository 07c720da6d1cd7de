import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/catalog-records';
import { EventLog } from './event-log';
import { EvidenceBuilder } from './evidence-builder';

/** Events that wait for products the catalog does not have yet. */
@Injectable()
export class PendingEvents {
  constructor(
    private readonly log: EventLog,
    private readonly records: CatalogRecords,
    private readonly evidence: EvidenceBuilder,
  ) {}

  /** Called after products were written; the number of events that count now. */
  async productsArrived(store: string, productIds: string[]): Promise<number> {
    if (productIds.length === 0) return 0;
    return this.log.completePending(store, productIds, (event) => this.evidence.complete(event));
  }

  /** A product may have arrived between the look at the catalog and the append. */
  async lookAgain(store: string, productIds: string[]): Promise<void> {
    if (productIds.length === 0) return;
    const known = await this.records.features(store, productIds);
    await this.productsArrived(store, [...known.keys()]);
  }
}
