import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import type { Caller, Store } from '../../stores/store';
import { ProfileStore } from '../profiles/profile-store';
import { Deduplicator, type OnceOptions } from './deduplicator';
import { EventJudge, shopperName } from './event-judge';
import { type AppendResult, CLICK, EventLog, type EventVerdict, type NewEvent } from './event-log';
import { EventMetrics } from './event-metrics';
import { eventName, type Order, type ParsedEvent, parseEvent } from './event-schema';
import { contentDigest, idempotencyKeys } from './idempotency-keys';
import { PendingEvents } from './pending-events';

/** A client's clock is believed this far back, and never ahead. */
const HONOURED_MS = 7 * 86_400_000;

/** A click on a search result or an ad. */
export interface Click {
  userId: string | null;
  deviceId: string | null;
  product: string;
  /** Under which it counts once for ever. */
  idempotencyKey: string;
  /** Absent: the route that takes the click has looked for bots already. */
  userAgent?: string;
  address: string;
  /** What else is kept of it. */
  details: Readonly<Record<string, unknown>>;
}

/** Told of an order that a store's backend has named, once it is durable; maybe again. */
type OrderListener = (store: Store, order: Order) => Promise<void>;

/** An event that is in the log now, and was not before. */
export interface StoredNow {
  event: ParsedEvent;
  receivedAt: number;
  verdict: EventVerdict;
}

/** Told of events as they come in, not of those a store brings along. Nobody waits for it; it does not throw. */
type StoredListener = (store: Store, stored: StoredNow) => void;

/** The way of an event: validate, judge, append to the log, note for its shopper's profile. */
@Injectable()
export class EventIntake {
  private readonly orderListeners: OrderListener[] = [];
  private readonly storedListeners: StoredListener[] = [];

  constructor(
    private readonly judge: EventJudge,
    private readonly log: EventLog,
    private readonly profiles: ProfileStore,
    private readonly pending: PendingEvents,
    private readonly deduplicator: Deduplicator,
    private readonly metrics: EventMetrics,
    private readonly clock: Clock,
  ) {}

  /** Resolves when the event is durable (or was already). Throws 400 for an unknown name or an invalid body. */
  async accept(caller: Caller, name: string, sent: unknown): Promise<void> {
    const event = parseEvent(eventName(name), sent);
    const shopper = shopperName(caller.store, event);
    const now = this.clock.now();
    const work = (): Promise<void> => this.take(caller, event, now, idempotencyKeys(event));
    const repeatable = shopper !== null && event.timestamp === null && event.eventId === null;
    if (repeatable) await this.deduplicator.once(shopper, ...repeatOf(caller, event, { now, work }));
    else await work();
    if (event.order === null || caller.method !== 'keys') return;
    for (const listener of this.orderListeners) await listener(caller.store, event.order);
  }

  /** An event like any other, without a body that was sent. Resolves when it is durable. */
  async clicked(store: Store, click: Click): Promise<void> {
    const { userId, deviceId, product, idempotencyKey, userAgent = '', address, details } = click;
    const event: ParsedEvent = {
      name: CLICK,
      body: { pid: product, ...(userId ? { userId } : {}), ...(deviceId ? { deviceId } : {}), ...details },
      userId,
      deviceId,
      eventId: null,
      timestamp: null,
      order: null,
      content: { products: [{ pid: product }], categories: [] },
    };
    const caller: Caller = { store, method: 'origin', address, userAgent };
    await this.take(caller, event, this.clock.now(), [idempotencyKey]);
  }

  /** Appends judged events of a store and notes them for profiles. `since`: when a live event came in, as `performance.now()`. */
  async append(store: string, events: NewEvent[], since?: number): Promise<AppendResult[]> {
    const results = await this.profiles.noting(
      () => this.log.append(events),
      (appended) => ({ appended: events, results: appended }),
    );
    this.metrics.observe(events, results, since);
    await this.pending.appended(store, events);
    return results;
  }

  onOrder(listener: OrderListener): void {
    this.orderListeners.push(listener);
  }

  onStored(listener: StoredListener): void {
    this.storedListeners.push(listener);
  }

  /** Erased shoppers start afresh. */
  async forget(store: Store, shoppers: readonly Pick<ParsedEvent, 'userId' | 'deviceId'>[]): Promise<void> {
    for (const shopper of shoppers) await this.deduplicator.forget(shopperName(store, shopper) ?? '');
  }

  private async take(caller: Caller, event: ParsedEvent, receivedAt: number, keys: string[]): Promise<void> {
    const since = performance.now();
    const { store } = caller;
    const at = honoured(event.timestamp, receivedAt);
    const arrival = await this.judge.arrival(caller, event, receivedAt);
    const judged = await this.judge.judge(store, [{ event, at, receivedAt, idempotencyKeys: keys, ...arrival }]);
    const [result] = await this.append(store.id, judged, since);
    const verdict = judged[0]?.verdict;
    if (result?.outcome !== 'stored' || verdict === undefined) return;
    for (const listener of this.storedListeners) listener(store, { event, receivedAt, verdict });
  }
}

/** What came without keys is no reason to leave out what comes with them. */
function repeatOf({ method }: Caller, event: ParsedEvent, options: OnceOptions): [content: string, OnceOptions] {
  const content = contentDigest(event);
  const keyed = `keys ${content}`;
  return method === 'keys' ? [keyed, options] : [content, { ...options, unless: keyed }];
}

function honoured(timestamp: number | null, now: number): number {
  return timestamp !== null && timestamp <= now && timestamp >= now - HONOURED_MS ? timestamp : now;
}
