import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import { ProfileStore } from '../profiles/profile-store';
import { type Complete, EventLog, type NewEvent, type StoredEvent } from './event-log';
import { EvidenceBuilder } from './evidence-builder';

/** Events that wait for products the catalog does not have yet. */
@Injectable()
export class PendingEvents {
  constructor(
    private readonly log: EventLog,
    private readonly profiles: ProfileStore,
    private readonly records: CatalogRecords,
    private readonly evidence: EvidenceBuilder,
  ) {}

  /** Called after products were written: events that waited for them count from now on. */
  async productsArrived(store: string, productIds: string[]): Promise<void> {
    if (productIds.length === 0) return;
    await completeAndNote(this.log, this.profiles, { store, productIds }, (event) => this.evidence.complete(event));
  }

  /** A product may have arrived after the catalog was asked for it and before the event was in the log. */
  async appended(store: string, events: readonly NewEvent[]): Promise<void> {
    const missing = new Set(events.flatMap(({ pendingProducts }) => pendingProducts));
    if (missing.size === 0) return;
    const known = await this.records.features(store, [...missing]);
    await this.productsArrived(store, [...known.keys()]);
  }
}

/** Completes events in the log and notes for profiles which ones they were; the number of them. */
export function completeAndNote(
  log: EventLog,
  profiles: ProfileStore,
  { store, productIds }: { store: string; productIds: string[] },
  complete: Complete,
): Promise<number> {
  const completed: StoredEvent[] = [];
  const noteAndComplete: Complete = (event) => {
    completed.push(event);
    return complete(event);
  };
  return profiles.noting(
    () => log.completePending(store, productIds, noteAndComplete),
    () => ({ completed }),
  );
}
