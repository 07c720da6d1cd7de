import type { Clock } from '../../../../shared/clock';
import { BulkBatcher } from '../../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, unavailable } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import type { Purchase } from '../../../../ranking/learning/learn';
import type { ShopperKey } from '../../../shoppers/shopper';
import {
  type AppendResult,
  type ErasedCounts,
  EventLog,
  type NewEvent,
  type StoredEvent,
  type TracesQuery,
  type UserTraces,
} from '../../event-log';
import { Appender } from './appender';
import { type Complete, Completer } from './completer';
import { Erasures } from './erasures';
import { eventOf, FAMILY } from './event-document';
import { EventIndex } from './event-index';
import { devicesRequest, newPurchasesRequest, ofAll, purchasesOf, shoppersRequest } from './event-requests';
import { KeyIndex, KEYS } from './key-index';
import { Marks } from './pending-markers';
import { Once } from './idempotency';
import { ProcessNumber } from './process-number';
import { EventRemover, type Lacking } from './remover';
import { ShopperReads } from './shopper-reads';

export interface EventLogParts {
  connection: ElasticConnection;
  clock: Clock;
  lacking: Lacking;
}

/** Milliseconds for what no search waits for. */
const PATIENCE = 5000;

interface NewPurchases {
  hits?: { total?: { value: number } };
  aggregations?: { last: { value: number | null } };
}

interface DeviceBucket {
  key: string;
  first: { value: number };
  last: { value: number };
}

/**
 * The log in Elasticsearch: an index for each month, and one for keys, which outlive them
 * (docs/adr/0009-the-log-first-then-the-recent-events.md).
 */
export class ElasticEventLog extends EventLog {
  private readonly events: EventIndex;
  /** Searches ask whether a user was erased, and can't wait. */
  private readonly traced: Erasures;
  private readonly appender: Appender;
  private readonly completer: Completer;
  private readonly remover: EventRemover;
  private readonly ofShoppers: ShopperReads;

  private constructor(parts: EventLogParts) {
    super();
    const { connection, clock } = parts;
    const bulk = new BulkBatcher(connection);
    const reads = ReadBatcher.of(connection);
    const now = (): number => clock.now();
    const keys = new KeyIndex(connection, bulk, reads);
    const events = new EventIndex(connection, bulk, reads);
    const numbers = new ProcessNumber(keys, clock);
    const once = new Once(keys, events);
    const marks = new Marks(keys);
    this.events = events;
    const erasures = new Erasures(keys);
    this.traced = new Erasures(new KeyIndex(connection, bulk, ReadBatcher.of(connection, connection.timeoutMs)));
    this.appender = new Appender({ events, once, marks, erasures, numbers, now });
    this.completer = new Completer({ events, marks, numbers, now });
    this.ofShoppers = new ShopperReads(events);
    this.remover = new EventRemover(events, keys, erasures, parts.lacking);
  }

  static async open(parts: EventLogParts): Promise<ElasticEventLog> {
    await parts.connection.ensureFamily(FAMILY, indexDefinition(FAMILY));
    await parts.connection.ensureIndex(KEYS, indexDefinition(KEYS));
    return new ElasticEventLog(parts);
  }

  override append(events: NewEvent[]): Promise<AppendResult[]> {
    return this.appender.append(events);
  }

  override async read(query: {
    store: string;
    shopper?: ShopperKey;
    after?: number;
    counted?: boolean;
    limit: number;
  }): Promise<StoredEvent[]> {
    const { store, shopper, after = 0, counted = false, limit } = query;
    if (shopper) return (await this.ofShoppers.read({ store, shopper, after, counted, limit })).map(eventOf);
    await this.events.refresh();
    return (await this.events.first(ofAll(store, counted), { after, limit })).map(eventOf);
  }

  override completePending(store: string, productIds: string[], complete: Complete): Promise<number> {
    return this.completer.complete(store, productIds, complete);
  }

  override erase(request: { store: string; userId: string; erasedUser: string; at: number }): Promise<ErasedCounts> {
    return this.remover.erase(request);
  }

  override async traces({ store, userId, userHashes, now, devices: asked }: TracesQuery): Promise<UserTraces> {
    const [erasedAt, devices] = await Promise.all([
      this.traced.latest(store, userHashes, now),
      asked ? this.devicesOf(store, userId) : [],
    ]);
    return { erasedAt, devices };
  }

  override expire(request: { store: string; before: number; now: number }): Promise<number> {
    return this.remover.expire(request);
  }

  override removeStore(store: string): Promise<number> {
    return this.remover.removeStore(store);
  }

  /** Shoppers with events, in key order. */
  async shoppers(query: { store: string; after?: string; limit: number }): Promise<ShopperKey[]> {
    await this.events.refresh();
    const { connection, pattern } = this.events;
    const request = shoppersRequest(pattern, query);
    const { aggregations } = await connection.call((client, options) => client.search(request, options), PATIENCE);
    const { buckets = [] } = (aggregations?.['shoppers'] ?? {}) as { buckets?: { key: { shopper: ShopperKey } }[] };
    return buckets.map(({ key }) => key.shopper);
  }

  /** Of counted transactions, each product of each; in the order of the log. */
  async *purchases(store: string): AsyncGenerator<Purchase[]> {
    for await (const page of this.events.pages(purchasesOf(store))) {
      yield page.map(({ source }) => eventOf(source)).flatMap(purchasesIn);
    }
  }

  /** Counted transactions after a sequence number, at most `most` of them, and the last of all. */
  async newPurchases(store: string, after: number, most: number): Promise<{ count: number; last: number }> {
    await this.events.refresh();
    const { connection, pattern } = this.events;
    const request = newPurchasesRequest(pattern, store, after, most);
    const { responses } = await connection.call((client, options) => client.msearch(request, options), PATIENCE);
    if (responses.some((one) => 'error' in one)) throw unavailable(new Error('The log can not be searched'));
    const [counted, all] = responses as NewPurchases[];
    const count = Math.min(counted?.hits?.total?.value ?? 0, most);
    return { count, last: all?.aggregations?.last.value ?? 0 };
  }

  private async devicesOf(store: string, userId: string): Promise<UserTraces['devices']> {
    await this.events.refresh();
    const { connection, pattern } = this.events;
    const request = devicesRequest(pattern, store, userId);
    const { aggregations } = await connection.call((client, options) => client.search(request, options), PATIENCE);
    const { buckets = [] } = (aggregations?.['devices'] ?? {}) as { buckets?: DeviceBucket[] };
    return buckets.map(({ key, first, last }) => ({ deviceId: key, first: first.value, last: last.value }));
  }
}

function purchasesIn({ shopper, evidence }: StoredEvent): Purchase[] {
  if (!shopper || !evidence) return [];
  return evidence.items.map(({ product }) => ({ userId: shopper, product, at: evidence.at }));
}
