import {
  type AppendResult,
  type ErasedCounts,
  EventLog,
  type NewEvent,
  type StoredEvent,
  type TracesQuery,
  type UserTraces,
} from '../../../events/event-log';
import { deviceKey, type ShopperKey, userKey } from '../../../shoppers/shopper';
import type { ProfileRequest } from '../../profile-store';
import type { MissedEvents } from './missed-events';
import { counted } from './redis-profile-store';
import { type RecentEvent, recentEvent, type RedisProfiles } from './redis-profiles';

export interface ProfiledParts {
  log: EventLog;
  profiles: RedisProfiles;
  missed: MissedEvents;
}

interface Stored {
  event: NewEvent;
  seq: number;
  claimed: number;
}

const PAGE = 500;

/**
 * An event log that keeps the profiles in Redis in step with it: an event is in its shopper's recent events when its append resolves. The log
 * comes first and decides; where Redis can't be written, that is remembered and made up for later.
 */
export class ProfiledEventLog extends EventLog {
  constructor(private readonly parts: ProfiledParts) {
    super();
  }

  override append(events: NewEvent[]): Promise<AppendResult[]> {
    const { log, missed } = this.parts;
    return missed.watch(
      () => log.append(events),
      (results) => this.follow(events, results),
    );
  }

  override read(query: {
    store: string;
    shopper?: ShopperKey;
    after?: number;
    counted?: boolean;
    limit: number;
  }): Promise<StoredEvent[]> {
    return this.parts.log.read(query);
  }

  override completePending(
    store: string,
    productIds: string[],
    complete: Parameters<EventLog['completePending']>[2],
  ): Promise<number> {
    const { log, missed } = this.parts;
    const before = new Map<ShopperKey, number[]>();
    const noting: typeof complete = (event) => {
      if (event.shopper) before.set(event.shopper, [...(before.get(event.shopper) ?? []), event.seq]);
      return complete(event);
    };
    return missed.watch(
      () => log.completePending(store, productIds, noting),
      () => this.lookAgain(store, before),
    );
  }

  /** Throws `unavailable` where Redis is down: whoever asks for an erasure has to know that it is not done. */
  override async erase(request: {
    store: string;
    userId: string;
    erasedUser: string;
    at: number;
  }): Promise<ErasedCounts> {
    const { log, profiles, missed } = this.parts;
    const shopper = { store: request.store, shopper: userKey(request.userId) };
    await profiles.forget(shopper);
    const counts = await log.erase(request);
    await profiles.forget(shopper, missed.seqAt(request.at));
    return counts;
  }

  override traces(query: TracesQuery): Promise<UserTraces> {
    return this.parts.log.traces(query);
  }

  override expire(request: { store: string; before: number; now: number }): Promise<number> {
    return this.parts.log.expire(request);
  }

  override removeStore(store: string): Promise<number> {
    return this.parts.log.removeStore(store);
  }

  private async follow(events: NewEvent[], results: AppendResult[]): Promise<void> {
    const stored = results.flatMap((result, index): Stored[] => {
      const event = events[index];
      return event && result.outcome === 'stored' ? [{ event, seq: result.seq, claimed: result.claimed }] : [];
    });
    const claims = stored.filter(({ claimed }) => claimed > 0);
    await Promise.all(claims.map((claim) => this.giveUp(claim)));
    await Promise.all([
      ...this.added(stored, claims).map(([request, own]) => this.parts.profiles.add(request, own)),
      ...claims.map(({ event }) => this.bringIn({ store: event.store, shopper: userKey(event.userId ?? '') })),
    ]);
  }

  /** By shopper, without what was claimed by an event of the same append. */
  private added(stored: Stored[], claims: Stored[]): [ProfileRequest, RecentEvent[]][] {
    const byShopper = new Map<string, [ProfileRequest, RecentEvent[]]>();
    for (const { event, seq } of stored) {
      const { store, userId, deviceId, evidence, receivedAt } = event;
      if (evidence === null || (userId === null && deviceId === null)) continue;
      const gone = claims.some(
        (claim) => claim.seq > seq && claim.event.store === store && claim.event.deviceId === deviceId,
      );
      if (userId === null && gone) continue;
      const shopper = userId === null ? deviceKey(deviceId ?? '') : userKey(userId);
      const name = `${store}\n${shopper}`;
      const own = byShopper.get(name) ?? [{ store, shopper }, []];
      own[1].push(recentEvent(seq, receivedAt, evidence));
      byShopper.set(name, own);
    }
    return [...byShopper.values()];
  }

  /** What the log has after a shopper's watermark. */
  private async bringIn(request: ProfileRequest): Promise<void> {
    const { log, profiles } = this.parts;
    const [held] = await profiles.read([request]);
    if (held?.watermark === null || held?.watermark === undefined) return;
    for (let after = held.watermark; ;) {
      const events = await log.read({ ...request, after, counted: true, limit: PAGE });
      if (events.length > 0) await profiles.add(request, events.flatMap(counted));
      if (events.length < PAGE) return;
      after = events.at(-1)?.seq ?? after;
    }
  }

  /** A device's events until then are the user's. */
  private async giveUp({ event, seq }: Stored): Promise<void> {
    await this.parts.profiles.forget({ store: event.store, shopper: deviceKey(event.deviceId ?? '') }, seq);
  }

  private async lookAgain(store: string, gone: Map<ShopperKey, number[]>): Promise<void> {
    await Promise.all(Array.from(gone, ([shopper, seqs]) => this.parts.profiles.lookAgain({ store, shopper }, seqs)));
  }
}
