import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import type { Caller, Store } from '../../stores/store';
import { EventJudge, shopperName } from './event-judge';
import type { EventVerdict, NewEvent } from './event-log';
import { eventName } from './event-names';
import { type ParsedEvent, parseEvent } from './event-schema';
import { EvidenceBuilder } from './evidence-builder';
import { contentDigest, idempotencyKeys } from './idempotency-keys';
import { PendingEvents } from './pending-events';
import { Deduplicator } from './deduplicator';

/** A client's clock is believed this far back, and never ahead. */
const HONOURED_MS = 7 * 86_400_000;

export interface PreparedEvent {
  at: number;
  receivedAt: number;
  idempotencyKeys: string[];
  /** What is known before its content is looked at. */
  suspicion: EventVerdict | null;
}

/** A click on a search hit or an ad. */
export interface Click {
  userId: string | null;
  deviceId: string | null;
  product: string;
  /** Under which it counts once for ever. */
  idempotencyKey: string;
  /** Absent: whether it was a machine is found out where the click comes in. */
  userAgent?: string;
  /** What else is kept of it. */
  details: Readonly<Record<string, unknown>>;
}

/** Told of an order that a store's backend has named, once it is durable; maybe again. */
type OrderListener = (store: Store, orderId: string) => Promise<void>;

/** One event in: validated, judged, once only, durable. */
@Injectable()
export class EventIntake {
  private readonly orderListeners: OrderListener[] = [];

  constructor(
    private readonly evidence: EvidenceBuilder,
    private readonly judge: EventJudge,
    private readonly repeats: Deduplicator,
    private readonly pending: PendingEvents,
    private readonly clock: Clock,
  ) {}

  /** Resolves when the event is durable (or was already). Throws 400 for an unknown name or an invalid body. */
  async accept(caller: Caller, name: string, sent: unknown): Promise<void> {
    const event = parseEvent(eventName(name), sent);
    const shopper = shopperName(caller.store, event);
    const now = this.clock.now();
    const work = (): Promise<void> => this.store(caller, event, { now, idempotencyKeys: idempotencyKeys(event) });
    const repeatable = shopper !== null && event.timestamp === null && event.eventId === null;
    await (repeatable ? this.repeats.once(shopper, contentDigest(event), { now, work }) : work());
    if (event.orderId === null || caller.method !== 'keys') return;
    for (const listener of this.orderListeners) await listener(caller.store, event.orderId);
  }

  onOrder(listener: OrderListener): void {
    this.orderListeners.push(listener);
  }

  /** An event like any other, without a body that was sent. Resolves when it is durable. */
  async clicked(
    store: Store,
    { userId, deviceId, product, idempotencyKey, userAgent = '', details }: Click,
  ): Promise<void> {
    const event: ParsedEvent = {
      name: 'click',
      body: { pid: product, ...(userId ? { userId } : {}), ...(deviceId ? { deviceId } : {}), ...details },
      userId,
      deviceId,
      eventId: null,
      timestamp: null,
      orderId: null,
      content: { products: [{ pid: product }], categories: [] },
    };
    const caller: Caller = { store, method: 'origin', address: '', userAgent };
    await this.store(caller, event, { now: this.clock.now(), idempotencyKeys: [idempotencyKey] });
  }

  /** Events of a store, ready for the log; one read of the catalog for all of them. */
  async prepare(store: Store, events: readonly { event: ParsedEvent; prepared: PreparedEvent }[]): Promise<NewEvent[]> {
    const contents = events.map(({ event, prepared }) => ({
      name: event.name,
      at: prepared.at,
      content: event.content,
    }));
    const [built, objections] = await Promise.all([
      this.evidence.buildAll(store, contents),
      Promise.all(events.map(({ event, prepared }) => this.judge.objection(store, event, prepared.suspicion))),
    ]);
    return events.map(({ event, prepared }, index): NewEvent => {
      const { evidence = null, pendingProducts = [] } = built[index] ?? {};
      const verdict = objections[index] ?? (evidence === null ? 'no_evidence' : 'counted');
      const counted = verdict === 'counted';
      return {
        store: store.id,
        name: event.name,
        at: prepared.at,
        receivedAt: prepared.receivedAt,
        clientTime: event.timestamp,
        userId: event.userId,
        deviceId: event.deviceId,
        userHashes: this.judge.hashesOf(store, event.userId),
        idempotencyKeys: prepared.idempotencyKeys,
        verdict,
        evidence: counted ? evidence : null,
        pendingProducts: counted ? pendingProducts : [],
        body: event.body,
      };
    });
  }

  /** An erased user starts afresh. */
  async forget(store: Store, userId: string): Promise<void> {
    await this.repeats.forget(`${store.id}\nu:${userId}`);
  }

  private async store(
    caller: Caller,
    event: ParsedEvent,
    { now, idempotencyKeys: keys }: { now: number; idempotencyKeys: string[] },
  ): Promise<void> {
    const { store } = caller;
    const since = performance.now();
    const prepared = {
      at: honoured(event.timestamp, now),
      receivedAt: now,
      idempotencyKeys: keys,
      suspicion: await this.judge.suspicion(caller, event, now),
    };
    const [newEvent] = await this.prepare(store, [{ event, prepared }]);
    if (newEvent) await this.pending.append(store.id, [newEvent], since);
  }
}

function honoured(timestamp: number | null, now: number): number {
  return timestamp !== null && timestamp <= now && timestamp >= now - HONOURED_MS ? timestamp : now;
}
