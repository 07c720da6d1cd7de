import { Injectable } from '@nestjs/common';
import type { Caller, Store } from '../../stores/store';
import { KnownUsers } from '../shoppers/known-users';
import { isBot } from './bots';
import type { EventVerdict } from './event-log';
import type { ParsedEvent } from './event-schema';
import { FloodGuard } from './flood-guard';

/** Which events count (contract section 9). */
@Injectable()
export class EventJudge {
  constructor(
    private readonly users: KnownUsers,
    private readonly floods: FloodGuard,
  ) {}

  /** What is known of an event before its content is looked at. */
  async suspicion(caller: Caller, event: ParsedEvent, now: number): Promise<EventVerdict | null> {
    // A backend vouches for what it sends, whatever the agent it passes on.
    if (caller.method === 'origin' && isBot(caller.userAgent)) return 'bot';
    const shopper = shopperName(caller.store, event);
    return shopper !== null && (await this.floods.isFlood(shopper, now)) ? 'flood' : null;
  }

  /** Why it does not count, whatever it is evidence of; null: nothing speaks against it. */
  async objection(store: Store, event: ParsedEvent, suspicion: EventVerdict | null): Promise<EventVerdict | null> {
    if (suspicion) return suspicion;
    if (event.userId === null && event.deviceId === null) return 'anonymous';
    if (event.userId !== null && (await this.users.attributes.optedOut(store.id, event.userId))) return 'opted_out';
    return null;
  }

  /** Keyed hashes of a user's id, by which an erased user is known. */
  hashesOf(store: Store, userId: string | null): string[] {
    return userId === null ? [] : this.users.hashes.of(store.id, userId);
  }
}

/** Whose event it is; null: nobody's. */
export function shopperName(
  store: Store,
  { userId, deviceId }: Pick<ParsedEvent, 'userId' | 'deviceId'>,
): string | null {
  if (userId !== null) return `${store.id}\nu:${userId}`;
  return deviceId === null ? null : `${store.id}\nd:${deviceId}`;
}
