import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { type Calls, callUntilNone } from '../../../../storage/sqlite/writer-commands';
import { shopperOf } from '../../../shoppers/shopper';
import {
  type AppendResult,
  type Complete,
  ERASED_REMEMBERED_MS,
  type ErasedEvents,
  type EraseRequest,
  EventLog,
  type EventQuery,
  type ExpireRequest,
  namespacedKeys,
  type NewEvent,
  type StoredEvent,
  type TracesQuery,
  type UserTraces,
} from '../../event-log';
import { recordOf } from '../event-record';
import { KnownSnapshots, removableBefore } from '../known-snapshots';
import { storedEvidence } from '../stored-evidence';
import { EmbeddedSnapshots } from './embedded-snapshots';
import type { commands, ExpiredStretch } from './event-log.commands';
import { EVENT_COLUMNS, eventsOf, type EventRow } from './event-row';

const PENDING_AT_ONCE = 100;

/** The log in the embedded database. Appends that arrive together share one commit. */
export class EmbeddedEventLog extends EventLog {
  readonly snapshots: EmbeddedSnapshots;
  private readonly known = new KnownSnapshots();
  private readonly call: Calls<typeof commands>;

  constructor(private readonly database: EmbeddedDatabase) {
    super();
    this.snapshots = EmbeddedSnapshots.of(database.reader);
    this.call = database.writer.calls<typeof commands>();
  }

  override async append(events: NewEvent[]): Promise<AppendResult[]> {
    if (events.length === 0) return [];
    const snapshots = this.known.unknown(events);
    const results = await this.call('events.append', { events: events.map(rowOf), snapshots });
    this.known.wrote(snapshots);
    this.snapshots.keep(events);
    return results;
  }

  override async read({ store, shopper, after = 0, counted, limit }: EventQuery): Promise<StoredEvent[]> {
    // Without a shopper the log is read in its own order, not by an index that would have to be sorted.
    const which = shopper ? 'store = ?1 AND shopper = ?4' : '+store = ?1';
    const events = (what: string): string =>
      `SELECT ${EVENT_COLUMNS} FROM event WHERE ${which} AND seq > ?2 AND ${what}`;
    // The index of shoppers has those that count and the others apart, each in order.
    const all = shopper ? `${events('counted = 0')} UNION ALL ${events('counted = 1')}` : events('true');
    const sql = `${counted ? events('counted = 1') : all} ORDER BY seq LIMIT ?3`;
    const { reader } = this.database;
    return eventsOf(reader, reader.all(sql, store, after, limit, ...(shopper ? [shopper] : [])));
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

  override erase(request: EraseRequest): Promise<ErasedEvents> {
    return this.call('events.erase', request);
  }

  override async traces({ store, userId, userHashes, now, devices }: TracesQuery): Promise<UserTraces> {
    const { reader } = this.database;
    const sql = 'SELECT at FROM event_erased WHERE store = ? AND user = ?';
    const times = userHashes.flatMap((hash) => reader.one(sql, store, hash)?.map(Number) ?? []);
    const remembered = times.filter((at) => at > now - ERASED_REMEMBERED_MS);
    const links = devices
      ? reader.all('SELECT device, first, last FROM event_link WHERE store = ? AND user = ?', store, userId)
      : [];
    return {
      erasedAt: remembered.length > 0 ? Math.max(...remembered) : null,
      devices: links.map(([device, first, last]) => ({
        deviceId: String(device),
        first: Number(first),
        last: Number(last),
      })),
    };
  }

  override async expire({ store, before }: ExpireRequest): Promise<number> {
    let expired = 0;
    let oldest = before;
    let after: number | null = 0;
    while (after !== null) {
      const stretch: ExpiredStretch = await this.call('events.expire', { store, before, after });
      expired += stretch.events;
      after = stretch.next;
      if (stretch.oldest !== null) oldest = Math.min(oldest, stretch.oldest);
    }
    await this.expireSnapshots(store, removableBefore(oldest));
    return expired;
  }

  override async forgetErasures(now: number): Promise<void> {
    await this.call('events.forgetErasures', now - ERASED_REMEMBERED_MS);
  }

  override async removeStore(store: string): Promise<number> {
    const events = await callUntilNone(() => this.call('events.removeSome', store));
    await this.call('events.removeRest', store);
    await callUntilNone(() => this.call('events.removeSnapshots', store));
    this.known.forget();
    return events;
  }

  private async expireSnapshots(store: string, before: number): Promise<void> {
    for (let after: string | null = ''; after !== null;) {
      after = await this.call('events.expireSnapshots', { store, before, after });
    }
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
    const sql = `SELECT ${columns.join(', ')} FROM event_pending AS pending JOIN event ON event.seq = pending.seq
       WHERE pending.store = ? AND pending.product = ? AND pending.seq > ? ORDER BY pending.seq LIMIT ?`;
    const { reader } = this.database;
    return eventsOf(reader, reader.all(sql, store, productId, after, PENDING_AT_ONCE));
  }

  private async completeOne(event: StoredEvent, complete: Complete): Promise<boolean> {
    const { evidence, stillPending } = await complete(event);
    if (stillPending.length >= event.pendingProducts.length) return false;
    const { store, seq, receivedAt } = event;
    const snapshots = this.known.unknown([{ store, receivedAt, evidence }]);
    const json = JSON.stringify(storedEvidence(evidence));
    const completed = await this.call('events.complete', {
      store,
      seq,
      evidence: json,
      waiting: stillPending,
      snapshots,
    });
    // What changed nothing has written nothing.
    if (completed) this.known.wrote(snapshots);
    return completed;
  }
}

function rowOf(event: NewEvent): EventRow {
  const { clientTime, userHashes } = event;
  const idempotencyKeys = namespacedKeys(event);
  return { clientTime, userHashes, idempotencyKeys, ...recordOf({ ...event, shopper: shopperOf(event) }) };
}
