import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import type { Calls } from '../../../../storage/sqlite/writer-commands';
import { deviceKey, userKey } from '../../../shoppers/shopper';
import {
  type AppendResult,
  type Complete,
  ERASED_REMEMBERED_MS,
  type ErasedCounts,
  type EraseRequest,
  EventLog,
  type EventQuery,
  type ExpireRequest,
  type NewEvent,
  type StoredEvent,
  type TracesQuery,
  type UserTraces,
} from '../../event-log';
import type { commands } from './event-log.commands';
import { EVENT_COLUMNS, eventOf, type EventRow } from './event-row';

const PENDING_AT_ONCE = 100;

/** The log in the embedded database. Appends that arrive together share one commit. */
export class EmbeddedEventLog extends EventLog {
  private readonly call: Calls<typeof commands>;

  constructor(private readonly database: EmbeddedDatabase) {
    super();
    this.call = database.writer.calls<typeof commands>();
  }

  override async append(events: NewEvent[]): Promise<AppendResult[]> {
    return events.length === 0 ? [] : this.call('events.append', events.map(rowOf));
  }

  override async read({ store, shopper, after = 0, counted, limit }: EventQuery): Promise<StoredEvent[]> {
    const { reader } = this.database;
    const only = counted ? 'AND counted = 1' : '';
    // Without a shopper the log is read in its own order, not by an index that would have to be sorted.
    const rows = shopper
      ? reader.all(
          `SELECT ${EVENT_COLUMNS} FROM event WHERE store = ? AND shopper = ? AND seq > ? ${only} ORDER BY seq LIMIT ?`,
          store,
          shopper,
          after,
          limit,
        )
      : reader.all(
          `SELECT ${EVENT_COLUMNS} FROM event WHERE +store = ? AND seq > ? ${only} ORDER BY seq LIMIT ?`,
          store,
          after,
          limit,
        );
    return rows.map(eventOf);
  }

  override async completePending(store: string, productIds: string[], complete: Complete): Promise<number> {
    let completed = 0;
    for (const productId of this.waitedFor(store, productIds)) {
      for (let after = 0; ;) {
        const events = this.waiting(store, productId, after);
        if (events.length === 0) break;
        after = events.at(-1)?.seq ?? after;
        for (const event of events) if (await this.completeOne(event, complete)) completed += 1;
      }
    }
    return completed;
  }

  override erase(request: EraseRequest): Promise<ErasedCounts> {
    return this.call('events.erase', request);
  }

  override async traces({ store, userId, userHashes, now, devices }: TracesQuery): Promise<UserTraces> {
    const { reader } = this.database;
    const times = userHashes.flatMap((hash) => {
      const at = reader.one('SELECT at FROM event_erased WHERE store = ? AND user = ?', store, hash)?.[0];
      return at !== undefined && Number(at) > now - ERASED_REMEMBERED_MS ? [Number(at)] : [];
    });
    const links = devices
      ? reader.all('SELECT device, first, last FROM event_link WHERE store = ? AND user = ?', store, userId)
      : [];
    return {
      erasedAt: times.length > 0 ? Math.max(...times) : null,
      devices: links.map(([device, first, last]) => ({
        deviceId: String(device),
        first: Number(first),
        last: Number(last),
      })),
    };
  }

  override async expire({ store, before, now }: ExpireRequest): Promise<number> {
    let events = 0;
    // Without a limit of age the log need not be gone through.
    const from = before > 0 ? 0 : Number.MAX_SAFE_INTEGER;
    for (let after: number | null = from; after !== null;) {
      const done: { events: number; next: number | null } = await this.call('events.expire', {
        store,
        before,
        now,
        after,
      });
      events += done.events;
      after = done.next;
    }
    return events;
  }

  override async removeStore(store: string): Promise<number> {
    let events = 0;
    for (;;) {
      const some = await this.call('events.removeSome', store);
      events += some;
      if (some === 0) break;
    }
    await this.call('events.removeRest', store);
    return events;
  }

  /** Those of the products that any event waits for: mostly none, and then one short read says so. */
  private waitedFor(store: string, productIds: string[]): string[] {
    const { reader } = this.database;
    if (!reader.one('SELECT 1 FROM event_pending WHERE store = ? LIMIT 1', store)) return [];
    const sql = 'SELECT 1 FROM event_pending WHERE store = ? AND product = ? LIMIT 1';
    return [...new Set(productIds)].filter((productId) => reader.one(sql, store, productId));
  }

  private waiting(store: string, productId: string, after: number): StoredEvent[] {
    const columns = EVENT_COLUMNS.split(', ').map((column) => `event.${column}`);
    const rows = this.database.reader.all(
      `SELECT ${columns.join(', ')} FROM event_pending AS pending JOIN event ON event.seq = pending.seq
       WHERE pending.store = ? AND pending.product = ? AND pending.seq > ? ORDER BY pending.seq LIMIT ?`,
      store,
      productId,
      after,
      PENDING_AT_ONCE,
    );
    return rows.map(eventOf);
  }

  private async completeOne(event: StoredEvent, complete: Complete): Promise<boolean> {
    const { evidence, stillPending } = await complete(event);
    if (stillPending.length >= event.pendingProducts.length) return false;
    const { store, seq } = event;
    return this.call('events.complete', { store, seq, evidence: JSON.stringify(evidence), waiting: stillPending });
  }
}

function rowOf(event: NewEvent): EventRow {
  const { userId, deviceId } = event;
  return {
    store: event.store,
    shopper: userId !== null ? userKey(userId) : deviceId !== null ? deviceKey(deviceId) : null,
    name: event.name,
    at: event.at,
    received: event.receivedAt,
    clientTime: event.clientTime,
    verdict: event.verdict,
    user: userId,
    device: deviceId,
    userHashes: event.userHashes,
    idempotencyKeys: event.idempotencyKeys,
    waiting: event.pendingProducts,
    evidence: event.evidence === null ? null : JSON.stringify(event.evidence),
    body: JSON.stringify(event.body),
  };
}
