import { Injectable } from '@nestjs/common';
import { HashedAddresses } from '../../stores/access/address-key';
import { browserCallsPerMinute } from '../../stores/access/call-limits';
import { DailyAddresses } from '../../stores/access/daily-addresses';
import { RateLimiter } from '../../stores/access/rate-limiter';
import type { Caller, Store } from '../../stores/store';
import { shopperOf } from '../shoppers/shopper';
import { UserAttributes } from '../shoppers/user-attributes';
import { UserHashes } from '../shoppers/user-hashes';
import { isBot } from './bots';
import type { EventVerdict, NewEvent } from './event-log';
import type { ParsedEvent } from './event-schema';
import { EvidenceBuilder, MOST_ENTRIES } from './evidence-builder';

/** Nobody looks at five products a second for a minute: what is more is kept and does not count. */
const MOST_A_MINUTE = 300;
/** Of the calls a minute that an address has, so many events count, whoever they name: what it may write into the profiles of others. */
const COUNTED_SHARE = 0.2;
/** A list counts as one event for each so many of its entries: they are the work that its shopper's searches have with it. */
const ENTRIES_AN_EVENT = 5;

/** Who sent an event, as far as that is known, and what speaks against them. */
interface Arrival extends Pick<NewEvent, 'keyed' | 'addressHash'> {
  /** A verdict from how it came in; null: nothing speaks against it. */
  suspicion: EventVerdict | null;
}

/** A valid event with what is known of its arrival. */
interface ReceivedEvent extends Arrival {
  event: ParsedEvent;
  /** When it happened, as far as the client's clock is believed. */
  at: number;
  receivedAt: number;
  idempotencyKeys: string[];
}

/** Decides which events count (contract section 9), and what those that count are evidence of. */
@Injectable()
export class EventJudge {
  constructor(
    private readonly evidence: EvidenceBuilder,
    private readonly attributes: UserAttributes,
    private readonly hashes: UserHashes,
    private readonly limiter: RateLimiter,
    private readonly addresses: DailyAddresses,
    private readonly addressNames: HashedAddresses,
  ) {}

  /** Looks at who sends an event and how often. */
  async arrival(caller: Caller, event: ParsedEvent, now: number): Promise<Arrival> {
    const keyed = caller.method === 'keys';
    const addressHash = keyed ? null : await this.addresses.of(caller.store.id, caller.address, now);
    return { keyed, addressHash, suspicion: await this.suspicion(caller, event, now) };
  }

  /** Events of a store, ready for the log; one read of the catalog for all of them. */
  async judge(store: Store, received: readonly ReceivedEvent[]): Promise<NewEvent[]> {
    const [built, objections] = await Promise.all([
      this.evidence.build(
        store,
        received.map(({ event: { name, content }, at }) => ({ name, at, content })),
      ),
      Promise.all(received.map((one) => this.objection(store, one))),
    ]);
    return received.map(({ event, at, receivedAt, keyed, addressHash, idempotencyKeys }, index): NewEvent => {
      const { evidence = null, pendingProducts = [] } = built[index] ?? {};
      const verdict = objections[index] ?? (evidence === null ? 'no_evidence' : 'counted');
      const counts = verdict === 'counted';
      const { name, userId, deviceId, timestamp: clientTime, body } = event;
      return {
        store: store.id,
        name,
        at,
        receivedAt,
        clientTime,
        keyed,
        addressHash,
        idempotencyKeys,
        userId,
        deviceId,
        userHashes: userId === null ? [] : this.hashes.of(store.id, userId),
        verdict,
        evidence: counts ? evidence : null,
        pendingProducts: counts ? pendingProducts : [],
        body,
      };
    });
  }

  private async suspicion(caller: Caller, event: ParsedEvent, now: number): Promise<EventVerdict | null> {
    // A backend vouches for what it sends: its agent, its pace, and whose it is.
    if (caller.method === 'keys') return null;
    if (isBot(caller.userAgent)) return 'bot';
    const shopper = shopperName(caller.store, event);
    if (shopper === null) return null;
    // By address, too: anybody may name any shopper, and must not use up what the shopper's own page may send.
    const address = this.addressNames.of(caller.address);
    const most = Math.max(MOST_A_MINUTE, COUNTED_SHARE * browserCallsPerMinute(caller.store));
    const weight = weightOf(event);
    const own = this.limiter.take(`flood ${address} ${shopper}`, MOST_A_MINUTE, now, weight);
    const all = await this.limiter.take(`flood ${address} ${caller.store.id}`, most, now, weight);
    return (await own).passed && all.passed ? null : 'flood';
  }

  /** Why an event does not count, whatever it is evidence of. */
  private async objection(store: Store, { event, suspicion }: ReceivedEvent): Promise<EventVerdict | null> {
    if (suspicion) return suspicion;
    if (event.userId === null && event.deviceId === null) return 'anonymous';
    if (event.userId !== null && (await this.attributes.optedOut(store.id, event.userId))) return 'opted_out';
    return null;
  }
}

/** How many events it counts as for the flood limit. */
function weightOf({ content }: ParsedEvent): number {
  const entries = Math.min(content.products.length + content.categories.length, MOST_ENTRIES);
  return Math.max(1, Math.ceil(entries / ENTRIES_AN_EVENT));
}

/** Whose event it is, over all stores; null: nobody's. */
export function shopperName(store: Store, event: Pick<ParsedEvent, 'userId' | 'deviceId'>): string | null {
  const shopper = shopperOf(event);
  return shopper && `${store.id}\n${shopper}`;
}
