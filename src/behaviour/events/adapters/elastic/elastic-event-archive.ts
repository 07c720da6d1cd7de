import { Archive } from '../../../../storage/archive';
import { BulkBatcher, type BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { stateOf } from '../../../../storage/elastic/index-state';
import { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { scroll } from '../../../../storage/elastic/scroll';
import { type ArchivedEvent, EVENT_ENTRIES, type EventEntry } from '../../event-archive';
import { isUnproven } from '../../event-log';
import { ElasticSnapshots } from './elastic-snapshots';
import { documentOf, type EventDocument, eventsOf, FAMILY, type EventLocation, locationOf } from './event-document';
import { EventIndex } from './event-index';
import { markersOf } from './pending-markers';
import { type KeyDocument, KeyIndex, type KeyName, KEYS } from './key-index';

/** The log in Elasticsearch: events as they stand, and the keys that are used. */
export class ElasticEventArchive extends Archive<EventEntry> {
  override readonly types = EVENT_ENTRIES;
  private readonly events: EventIndex;
  private readonly keys: KeyIndex;
  private readonly snapshots: ElasticSnapshots;

  private constructor(private readonly connection: ElasticConnection) {
    super();
    const bulk = new BulkBatcher(connection, { timeoutMs: LONG_TIMEOUT });
    const reads = ReadBatcher.apart(connection, LONG_TIMEOUT);
    this.events = new EventIndex(connection, bulk, reads);
    this.keys = new KeyIndex(connection, bulk, reads);
    this.snapshots = new ElasticSnapshots(connection, bulk, reads);
  }

  static async open(connection: ElasticConnection): Promise<ElasticEventArchive> {
    await connection.ensureFamily(FAMILY, indexDefinition(FAMILY));
    await connection.ensureIndex(KEYS, indexDefinition(KEYS));
    await ElasticSnapshots.ensure(connection);
    return new ElasticEventArchive(connection);
  }

  override async *read(): AsyncGenerator<EventEntry[]> {
    for await (const page of this.events.pages([])) {
      const documents = page.map(({ source }) => source);
      const events = await eventsOf(this.snapshots, documents);
      yield events.map((event, index) => ({ type: 'event', ...event, ...keysOf(documents[index]) }));
    }
    const expired = new Map<string, number>();
    for await (const page of this.named('expired')) for (const { store, at = 0 } of page) expired.set(store, at);
    for await (const page of this.named('key')) yield this.usedKeys(page, expired);
    for await (const page of this.named('erased')) {
      yield page.map(({ store, name = '', at = 0 }) => ({ type: 'erased', store, user: name, at }));
    }
  }

  /** What later claims and completions look for is marked before what they would find, as an append does after it. */
  override async restore(entries: readonly EventEntry[]): Promise<void> {
    const names = new Map<string, BulkOperation>();
    const put = (name: KeyName, fields: Parameters<KeyIndex['put']>[1] = {}): unknown =>
      names.set(JSON.stringify(name), this.keys.put(name, fields));
    const events: BulkOperation[] = [];
    const used: KeyName[] = [];
    for (const entry of entries) {
      const { type, store } = entry;
      if (type === 'key') used.push({ kind: 'key', store, name: entry.key });
      else if (type === 'erased') {
        put({ kind: 'erased', store, name: entry.user }, { at: entry.at });
        put({ kind: 'erasures', store, name: '' });
      } else {
        for (const name of markersOf(entry)) put(name, { taken: false });
        const { location, operation } = this.restored(entry);
        for (const name of entry.keys ?? []) put({ kind: 'key', store, name }, { event: location, at: entry.at });
        events.push(operation);
      }
    }
    await this.snapshots.restore(entries.filter((entry) => entry.type === 'event'));
    await this.keys.write([...names.values()]);
    // Unless an event has named itself: then it is found by its key.
    await this.keys.write(used.map((name) => this.keys.over(name, null, { spent: true })));
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
  private async usedKeys(page: KeyDocument[], expired: ReadonlyMap<string, number>): Promise<EventEntry[]> {
    const locations = page.flatMap(({ spent, event }) =>
      spent || event === undefined ? [] : [event as EventLocation],
    );
    const stored = await this.events.stored(locations);
    const isUsed = ({ store, spent, event, at = 0 }: KeyDocument): boolean =>
      spent || stored.has(event as EventLocation) || at < (expired.get(store) ?? Number.MIN_SAFE_INTEGER);
    return page.filter(isUsed).map(({ store, name = '' }) => ({ type: 'key', store, key: name }));
  }

  /** Its number names it, wherever it is. */
  private restored(event: ArchivedEvent): { location: EventLocation; operation: BulkOperation } {
    const { keys, seq, shopper, ...rest } = event;
    const nameless = { ...rest, idempotencyKeys: [], userHashes: [], clientTime: null };
    const location = locationOf(nameless, seq);
    const document = documentOf({ ...nameless, idempotencyKeys: [...(keys ?? [])] }, seq, shopper);
    return { location, operation: this.events.create(location, document) };
  }
}

function keysOf(document: EventDocument | undefined): { keys?: string[] } {
  const unproven = (document?.keys ?? []).filter(isUnproven);
  return unproven.length > 0 ? { keys: unproven } : {};
}
