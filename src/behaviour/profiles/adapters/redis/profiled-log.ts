import type { EventLog, StoredEvent } from '../../../events/event-log';
import type { ShopperKey } from '../../../shoppers/shopper';
import type { ProfileRequest } from '../../profile-store';
import { recentEvent, type RecentEvent } from './redis-profiles';

/** The log that the profiles in Redis are made from. */
export interface ProfiledLog extends Pick<EventLog, 'read'> {
  /** Who has events in the log, in key order. */
  shoppers(query: { store: string; after?: string; limit: number }): Promise<ShopperKey[]>;
  /** A sequence number that no event written from a time (epoch ms) on goes below. */
  seqAt(time: number): number;
}

const PAGE = 500;

/** A shopper's counted events after a sequence number, page by page. */
export async function* recentEventPages(
  log: ProfiledLog,
  { store, shopper }: ProfileRequest,
  from = 0,
): AsyncGenerator<RecentEvent[]> {
  for (let after = from; ;) {
    const events = await log.read({ store, shopper, after, counted: true, limit: PAGE });
    if (events.length > 0) yield events.flatMap(counted);
    if (events.length < PAGE) return;
    after = events.at(-1)?.seq ?? after;
  }
}

export function counted({ seq, receivedAt, evidence }: StoredEvent): RecentEvent[] {
  return evidence === null ? [] : [recentEvent(seq, receivedAt, evidence)];
}
