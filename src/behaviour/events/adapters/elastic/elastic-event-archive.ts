import { type ErasedUserEntry, EventArchive, type EventEntry, type IdempotencyKeyEntry } from '../../event-archive';
import { BulkBatcher, type BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { scroll } from '../../../../storage/elastic/scroll';
import { stateOf } from '../../../../storage/elastic/index-state';
import { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { type EventDocument, eventOf, FAMILY, type EventLocation, locationOf } from './event-document';
import { EventIndex } from './event-index';
import { type KeyDocument, KeyIndex, type KeyName, KEYS } from './key-index';

type LogEntry = EventEntry | IdempotencyKeyEntry | ErasedUserEntry;

/** The log in Elasticsearch: events as they stand, and the keys that are used. */
export class ElasticEventArchive extends EventArchive {
  private readonly events: EventIndex;
  private readonly keys: KeyIndex;

  private constructor(private readonly connection: ElasticConnection) {
    super();
    const bulk = new BulkBatcher(connection, { timeoutMs: LONG_TIMEOUT });
    const reads = ReadBatcher.apart(connection, LONG_TIMEOUT);
    this.events = new EventIndex(connection, bulk, reads);
    this.keys = new KeyIndex(connection, bulk, reads);
  }

  static async open(connection: ElasticConnection): Promise<ElasticEventArchive> {
    await connection.ensureFamily(FAMILY, indexDefinition(FAMILY));
    await connection.ensureIndex(KEYS, indexDefinition(KEYS));
    return new ElasticEventArchive(connection);
  }

  override async *read(): AsyncGenerator<LogEntry[]> {
    for await (const page of this.events.pages([])) {
      yield page.map(({ source }): EventEntry => ({ type: 'event', ...eventOf(source) }));
    }
    const expired = new Map<string, number>();
    for await (const page of this.named('expired')) for (const { store, at = 0 } of page) expired.set(store, at);
    for await (const page of this.named('key')) yield this.usedKeys(page, expired);
    for await (const page of this.named('erased')) {
      yield page.map(({ store, name = '', at = 0 }): ErasedUserEntry => ({ type: 'erased', store, user: name, at }));
    }
  }

  /** What later claims and completions look for is marked before what they would find, as an append does after it. */
  override async restore(entries: readonly LogEntry[]): Promise<void> {
    const names = new Map<string, BulkOperation>();
    const put = (name: KeyName, operation: BulkOperation): unknown => names.set(JSON.stringify(name), operation);
    const events: BulkOperation[] = [];
    for (const entry of entries) {
      if (entry.type === 'event') {
        for (const name of marksOf(entry)) put(name, this.keys.put(name, { taken: false }));
        events.push(this.events.create(placeIn(entry), documentOf(entry)));
        continue;
      }
      const { store } = entry;
      const name = entry.type === 'key' ? keyName(store, entry.key) : erasedName(store, entry.user);
      put(name, this.keys.put(name, entry.type === 'key' ? { spent: true } : { at: entry.at }));
      if (entry.type === 'key') continue;
      const any: KeyName = { kind: 'erasures', store, name: '' };
      put(any, this.keys.put(any));
    }
    await this.keys.write([...names.values()]);
    await this.events.write(events);
  }

  override async state(): Promise<string> {
    const { pattern } = this.events;
    return JSON.stringify([await stateOf(this.connection, pattern), await stateOf(this.connection, this.keys.index)]);
  }

  private named(kind: KeyName['kind']): AsyncGenerator<KeyDocument[]> {
    return scroll<KeyDocument>(this.connection, this.keys.index, { term: { kind } });
  }

  /** A key whose event never came is free for the next that brings one. */
  private async usedKeys(page: KeyDocument[], expired: ReadonlyMap<string, number>): Promise<IdempotencyKeyEntry[]> {
    const places = page.flatMap(({ spent, event }) => (spent || event === undefined ? [] : [event as EventLocation]));
    const stored = await this.events.stored(places);
    return page
      .filter(
        ({ store, spent, event, at = 0 }) =>
          spent || stored.has(event as EventLocation) || at < (expired.get(store) ?? Number.MIN_SAFE_INTEGER),
      )
      .map(({ store, name = '' }) => ({ type: 'key', store, key: name }));
  }
}

const keyName = (store: string, name: string): KeyName => ({ kind: 'key', store, name });
const erasedName = (store: string, name: string): KeyName => ({ kind: 'erased', store, name });

/** By which claims and completions find an event. */
function marksOf({ store, shopper, deviceId, pendingProducts }: EventEntry): KeyName[] {
  const unclaimed = shopper?.startsWith('d:') && deviceId !== null;
  return [
    ...(unclaimed ? [{ kind: 'device' as const, store, name: deviceId }] : []),
    ...pendingProducts.map((name): KeyName => ({ kind: 'product', store, name })),
  ];
}

/** Its number names it: the keys it came with are all used, wherever it is. */
const placeIn = ({ store, at, seq }: EventEntry): EventLocation => locationOf({ store, at, idempotencyKeys: [] }, seq);

function documentOf(event: EventEntry): EventDocument {
  const { seq, store, shopper, name, at, verdict, evidence } = event;
  return {
    seq,
    store,
    shopper,
    counted: evidence !== null && shopper !== null,
    name,
    at,
    received: event.receivedAt,
    verdict,
    user: event.userId,
    device: event.deviceId,
    waiting: event.pendingProducts,
    keys: [],
    evidence: evidence === null ? null : JSON.stringify(evidence),
    body: JSON.stringify(event.body),
  };
}
