import type { NewEvent, SupersededEvent } from '../../../events/event-log';
import { shopperOf } from '../../../shoppers/shopper';
import { profileName, type ProfileRequest } from '../../profile-store';
import { type RecentEvent, recentEvent } from './recent-event';

/** An event that an append has stored. */
export interface Appended {
  event: NewEvent;
  seq: number;
  /** How many events of its device it has claimed for its user. */
  claimed: number;
}

/** The numbers of those events that are somebody's. */
export function numbersByShopper(events: readonly SupersededEvent[]): { request: ProfileRequest; seqs: number[] }[] {
  const all = new Map<string, { request: ProfileRequest; seqs: number[] }>();
  for (const { store, shopper, seq } of events) {
    if (shopper === null) continue;
    const name = profileName({ store, shopper });
    const own = all.get(name) ?? { request: { store, shopper }, seqs: [] };
    own.seqs.push(seq);
    all.set(name, own);
  }
  return [...all.values()];
}

/** What was stored, without what was claimed by an event of the same append. */
export function byShopper(stored: readonly Appended[], claims: readonly Appended[]): [ProfileRequest, RecentEvent[]][] {
  const all = new Map<string, [ProfileRequest, RecentEvent[]]>();
  for (const { event, seq } of stored) {
    const { store, userId, deviceId, evidence, receivedAt } = event;
    const shopper = shopperOf(event);
    if (evidence === null || shopper === null) continue;
    const isClaimed = claims.some(
      (claim) => claim.seq > seq && claim.event.store === store && claim.event.deviceId === deviceId,
    );
    if (userId === null && isClaimed) continue;
    const name = profileName({ store, shopper });
    const own = all.get(name) ?? [{ store, shopper }, []];
    own[1].push(recentEvent(seq, receivedAt, evidence));
    all.set(name, own);
  }
  return [...all.values()];
}
