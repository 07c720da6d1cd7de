import { type EventLog, eventPages, type StoredEvent } from '../../../events/event-log';
import type { ShopperKey } from '../../../shoppers/shopper';
import type { ProfileRequest } from '../../profile-store';
import type { SnapshotReader } from '../../../events/adapters/stored-evidence';
import { recentEvent, type RecentEvent } from './recent-event';

/** The log that the profiles in Redis are made from. */
export interface ProfiledLog extends Pick<EventLog, 'read'> {
  /** Of the features that its events name. */
  readonly snapshots: SnapshotReader;
  /** Who has events in the log, in key order. */
  shoppers(query: { store: string; after?: string; limit: number }): Promise<ShopperKey[]>;
  /** A sequence number that no event written from a time (epoch ms) on goes below. */
  seqAt(time: number): number;
}

/** A shopper's counted events after a sequence number, page by page. */
export async function* recentEventPages(
  log: ProfiledLog,
  { store, shopper }: ProfileRequest,
  after = 0,
): AsyncGenerator<RecentEvent[]> {
  for await (const page of eventPages(log, { store, shopper, after, counted: true })) yield page.flatMap(counted);
}

export function counted({ seq, receivedAt, evidence }: StoredEvent): RecentEvent[] {
  return evidence === null ? [] : [recentEvent(seq, receivedAt, evidence)];
}
