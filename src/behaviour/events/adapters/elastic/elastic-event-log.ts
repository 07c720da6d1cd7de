import type { Clock } from '../../../../shared/clock';
import { BulkBatcher, type BulkItem, type BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, unavailable } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import type { ShopperKey } from '../../../shoppers/shopper';
import {
  type AppendResult,
  type Complete,
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
import { apart, repeats } from './append-order';
import type { SnapshotReader } from '../stored-evidence';
import { Erasures } from './erasures';
import { ElasticSnapshots } from './elastic-snapshots';
import { documentOf, type EventDocument, type EventLocation, eventsOf, FAMILY, locationOf } from './event-document';
import { EventIndex, type FoundEvent } from './event-index';
import { EventReads } from './event-reads';
import { EventRemoval } from './event-removal';
import { ofAll } from './event-requests';
import { seqAt } from '../../../../storage/elastic/sequence';
import { IdempotencyKeys } from './idempotency';
import { KeyIndex, KEYS } from './key-index';
import { PendingMarkers, PendingProducts } from './pending-markers';
import {
  claims,
  DeviceClaims,
  type DeviceMarkers,
  deviceOf,
  markersFor,
  operationsOf,
  type PlannedWrite,
  planWrites,
} from './planned-writes';
import { ProcessNumber } from './process-number';
import { Proof } from './proof';

interface LocatedEvent {
  event: NewEvent;
  location: EventLocation;
  /** Its only key is written in the same request, and is looked at afterwards. */
  withKey: boolean;
}

type Results = Map<NewEvent, AppendResult>;

const succeeded = (item: BulkItem | undefined): boolean => item !== undefined && item.status < 300;

/**
 * The log in Elasticsearch: an index for each month, and one for keys, which outlive the months. What a process that died left out of
 * an append was not acknowledged, and a repeat adds it (docs/adr/0009-the-log-first-then-the-recent-events.md).
 */
export class ElasticEventLog extends EventLog {
  /** For searches, which can't wait. */
  readonly snapshots: SnapshotReader;
  private readonly stored: ElasticSnapshots;
  private readonly events: EventIndex;
  private readonly keys: IdempotencyKeys;
  private readonly markers: PendingMarkers;
  private readonly devices: DeviceClaims;
  private readonly erasures: Erasures;
  /** Searches ask whether a user was erased, and can't wait. */
  private readonly hastyErasures: Erasures;
  private readonly numbers: ProcessNumber;
  private readonly proof: Proof;
  private readonly reads: EventReads;
  private readonly removal: EventRemoval;

  private constructor(connection: ElasticConnection, clock: Clock) {
    super();
    const bulk = new BulkBatcher(connection);
    const keys = new KeyIndex(connection, bulk, ReadBatcher.of(connection));
    this.events = new EventIndex(connection, bulk, ReadBatcher.of(connection));
    const hasty = ReadBatcher.of(connection, connection.timeoutMs);
    this.stored = new ElasticSnapshots(connection, bulk, ReadBatcher.of(connection));
    this.snapshots = { evidence: (rows) => this.stored.evidence(rows, hasty) };
    this.keys = new IdempotencyKeys(keys, this.events);
    this.markers = new PendingMarkers(keys);
    this.devices = new DeviceClaims(this.events, this.markers);
    this.erasures = new Erasures(keys);
    this.hastyErasures = new Erasures(new KeyIndex(connection, bulk, hasty));
    this.numbers = new ProcessNumber(keys, clock, (processes) => (connection.writingProcesses = processes));
    this.proof = new Proof(this.keys, keys, this.events, this.numbers);
    this.reads = new EventReads(this.events);
    this.removal = new EventRemoval(this.events, keys, this.erasures, this.stored);
  }

  static async open(connection: ElasticConnection, clock: Clock): Promise<ElasticEventLog> {
    await connection.ensureFamily(FAMILY, indexDefinition(FAMILY));
    await connection.ensureIndex(KEYS, indexDefinition(KEYS));
    await ElasticSnapshots.ensure(connection);
    return new ElasticEventLog(connection, clock);
  }

  override async append(sent: NewEvent[]): Promise<AppendResult[]> {
    const events = sent.map((event) => ({ ...event, idempotencyKeys: namespacedKeys(event) }));
    const results: Results = new Map();
    for (let open: NewEvent[] = events; open.length > 0;) {
      const { now, later } = apart(open);
      await this.appendApart(now, results);
      open = later.flatMap((one) => {
        if (!repeats(one, results.get(one.after))) return [one.event];
        results.set(one.event, { outcome: 'duplicate' });
        return [];
      });
    }
    return events.map((event) => results.get(event) ?? { outcome: 'duplicate' });
  }

  override async read({ store, shopper, after = 0, counted = false, limit }: EventQuery): Promise<StoredEvent[]> {
    const documents: EventDocument[] = shopper
      ? await this.reads.ofShopper({ store, shopper, after, counted, limit })
      : await this.events.first(ofAll(store, counted), { after, limit });
    return eventsOf(this.stored, documents);
  }

  override completePending(store: string, productIds: string[], complete: Complete): Promise<number> {
    const pending = new PendingProducts(this.events, this.markers, this.numbers, this.stored);
    return pending.complete(store, productIds, complete);
  }

  override erase(request: EraseRequest): Promise<ErasedEvents> {
    return this.removal.erase(request);
  }

  override async traces({ store, userId, userHashes, now, devices: asked }: TracesQuery): Promise<UserTraces> {
    const [erasedAt, devices] = await Promise.all([
      this.hastyErasures.latest(store, userHashes, now),
      asked ? this.reads.devicesOf(store, userId) : [],
    ]);
    return { erasedAt, devices };
  }

  override expire(request: ExpireRequest): Promise<number> {
    return this.removal.expire(request);
  }

  override forgetErasures(now: number): Promise<void> {
    return this.removal.forgetErasures(now);
  }

  override removeStore(store: string): Promise<number> {
    return this.removal.removeStore(store);
  }

  /** Shoppers with events, in key order. */
  shoppers(query: { store: string; after?: string; limit: number }): Promise<ShopperKey[]> {
    return this.reads.shoppers(query);
  }

  /** A sequence number that no event written from a time (epoch ms) on goes below. */
  seqAt(time: number): number {
    return seqAt(time);
  }

  /** No two of them under the same key. */
  private async appendApart(events: readonly NewEvent[], results: Results): Promise<void> {
    const next = await this.numbers.sequence();
    const [{ erased, looked }, devices] = await Promise.all([
      this.erasures.look(events),
      this.devices.take(events),
      // Before the events: none of them may be there without what it names.
      this.stored.save(events),
    ]);
    for (const event of erased) results.set(event, { outcome: 'erased' });
    const alive = events.filter((event) => !erased.has(event));
    const located = await this.locate(alive, devices, next);
    const unclaimed = await this.devices.unclaimed(
      located.map(({ event }) => event),
      devices,
    );
    const planned = planWrites(located, unclaimed, next);
    const moved = await this.write(planned, located, results);
    const stored = planned.map(({ event }) => event).filter((event) => results.has(event));
    const repeated = alive.filter((event) => !results.has(event));
    for (const event of repeated) results.set(event, { outcome: 'duplicate' });
    const [late] = await Promise.all([
      this.erasures.since(looked, stored),
      this.markers.set(markersFor(planned, repeated)),
      this.devices.settle(planned, devices, moved),
      this.prove(alive, planned, results),
    ]);
    const erasedMeanwhile = planned.filter(({ event }) => late.has(event));
    for (const { event } of erasedMeanwhile) results.set(event, { outcome: 'erased' });
    await this.removal.takeBack(erasedMeanwhile);
  }

  /** What came with store keys counts in place of what came without them, whichever was first. */
  private async prove(events: readonly NewEvent[], planned: readonly PlannedWrite[], results: Results): Promise<void> {
    const proven = events.filter(({ keyed, idempotencyKeys }) => keyed && idempotencyKeys.length > 0);
    const [outdone, superseded] = await Promise.all([this.proof.outdone(events), this.proof.supersede(proven)]);
    for (const [event, gone] of superseded) {
      const result = results.get(event);
      if (result && gone.length > 0) results.set(event, { ...result, superseded: gone });
    }
    if (outdone.size === 0) return;
    const isStored = (event: NewEvent): boolean => results.get(event)?.outcome === 'stored';
    const withdrawn = planned.filter(({ event }) => outdone.has(event) && isStored(event));
    // A process that died may have left a first one that counts.
    await this.proof.supersede([...outdone].filter((event) => !isStored(event)));
    await this.events.write(withdrawn.map(({ location }) => this.events.deletion(location)));
    for (const { event } of withdrawn) results.set(event, { outcome: 'duplicate' });
    // What it has claimed is its user's already: the caller has to try again.
    if (withdrawn.some(({ moves, claimed }) => moves.length + claimed > 0)) {
      throw unavailable(new Error('An event came with store keys meanwhile'));
    }
  }

  /** Where events go. Repeats are left out, as far as they are known before the write. */
  private async locate(
    events: readonly NewEvent[],
    devices: DeviceMarkers,
    next: () => number,
  ): Promise<LocatedEvent[]> {
    // Before other events are moved with an event, it has to be certain that it is no repeat.
    const alone = new Set(events.filter((event) => event.userId === null && event.deviceId !== null).map(deviceOf));
    const isFirst = (event: NewEvent): boolean =>
      claims(event) && (Boolean(devices.get(deviceOf(event))) || alone.has(deviceOf(event)));
    const together = new Set(events.filter(isFirst).map(deviceOf));
    const located = await Promise.all(
      events.map(async (event): Promise<LocatedEvent[]> => {
        const own = locationOf(event, next());
        const keys = event.idempotencyKeys.length;
        // A page and a backend name the same orders, so a page's is looked for before it is written.
        const isClaim = !event.keyed && event.name === 'transaction';
        const withKey = keys === 1 && !isClaim && !(event.deviceId !== null && together.has(deviceOf(event)));
        const location = withKey || keys === 0 ? own : await this.keys.take(event, own);
        return location ? [{ event, location, withKey }] : [];
      }),
    );
    return located.flat();
  }

  /** Sets the results of those that were stored. Returns the stored events that were moved. */
  private async write(
    planned: readonly PlannedWrite[],
    located: readonly LocatedEvent[],
    results: Results,
  ): Promise<Set<FoundEvent>> {
    const withKey = new Set(located.filter((one) => one.withKey).map(({ event }) => event));
    const operations = planned.flatMap((write): BulkOperation[] => [
      ...operationsOf(this.events, write),
      ...(withKey.has(write.event) ? [this.keys.keyOperation(write.event, write.location)] : []),
    ]);
    const items = (await this.events.write(operations)).values();
    const done = (): boolean => succeeded(items.next().value);
    const moved = new Set<FoundEvent>();
    const doubtful: PlannedWrite[] = [];
    for (const write of planned) {
      const { event, seq, moves, claimed } = write;
      const own = moves.filter(() => done()).map(({ found }) => found);
      for (const found of own) moved.add(found);
      const isStored = done();
      const keyTaken = withKey.has(event) && !done();
      if (isStored) results.set(event, { outcome: 'stored', seq, claimed: claimed + own.length });
      if (isStored && keyTaken) doubtful.push(write);
      // Another process wrote the same event just now and knows nothing of what was moved here: the caller has to try again.
      if (!isStored && claimed + own.length > 0) throw unavailable(new Error('An event was written twice at once'));
    }
    await Promise.all(doubtful.map((write) => this.confirm(write, results)));
    return moved;
  }

  /** An event was written whose key was taken: it may be a repeat after all. */
  private async confirm(write: PlannedWrite, results: Results): Promise<void> {
    const { event, location: own, seq, shopper } = write;
    const location = await this.keys.confirm(event, own);
    if (location === own) return;
    const again = location === null ? [] : [this.events.create(location, documentOf(event, seq, shopper))];
    const [item] = await this.events.write(again);
    await this.events.write([this.events.deletion(own)]);
    if (location !== null && succeeded(item)) write.location = location;
    else results.delete(event);
  }
}
