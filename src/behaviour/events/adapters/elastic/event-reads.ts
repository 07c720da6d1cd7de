import type { estypes } from '@elastic/elasticsearch';
import { type BatchedCall, Batcher } from '../../../../shared/async/batcher';
import type { ShopperKey } from '../../../shoppers/shopper';
import type { EventQuery, UserTraces } from '../../event-log';
import type { EventDocument } from './event-document';
import { type EventIndex, PATIENCE } from './event-index';
import { devicesRequest, ofShoppers, shoppersRequest } from './event-requests';

type ShopperRead = Required<EventQuery>;

type WaitingRead = BatchedCall<ShopperRead, EventDocument[]>;

interface DeviceBucket {
  key: string;
  first: { value: number };
  last: { value: number };
}

/** Shoppers in one search. */
const TOGETHER = 50;
/** Events that one search returns at most. */
const SHARED_PAGE = 1000;

/**
 * Searches of the log. Callers who ask for one shopper each while the log is searched share the next refresh, and searches of fifty
 * shoppers each: a refresh costs more than the search, and the search of one shopper nearly as much as that of fifty.
 */
export class EventReads {
  private readonly batcher = new Batcher<ShopperRead, EventDocument[]>({ send: (reads) => this.send(reads) });

  constructor(private readonly events: EventIndex) {}

  /** Events of one shopper in sequence order, the newest too. */
  ofShopper(query: ShopperRead): Promise<EventDocument[]> {
    return this.batcher.add(query);
  }

  /** Shoppers with events, in key order. */
  async shoppers(query: { store: string; after?: string; limit: number }): Promise<ShopperKey[]> {
    const request = shoppersRequest(this.events.pattern, query);
    const buckets = await this.buckets<{ key: { shopper: ShopperKey } }>('shoppers', request);
    return buckets.map(({ key }) => key.shopper);
  }

  /** Devices that sent events together with a user. */
  async devicesOf(store: string, userId: string): Promise<UserTraces['devices']> {
    const request = devicesRequest(this.events.pattern, store, userId);
    const buckets = await this.buckets<DeviceBucket>('devices', request);
    return buckets.map(({ key, first, last }) => ({ deviceId: key, first: first.value, last: last.value }));
  }

  private async buckets<T>(name: string, request: estypes.SearchRequest): Promise<T[]> {
    await this.events.refresh();
    const { connection } = this.events;
    const { aggregations } = await connection.search(request, PATIENCE);
    return (aggregations?.[name] as { buckets?: T[] } | undefined)?.buckets ?? [];
  }

  private async send(reads: WaitingRead[]): Promise<void> {
    await this.events.refresh();
    for (const group of groupsOf(reads)) await this.answer(group);
  }

  /** Page by page, until each has what it asked for. */
  private async answer(group: WaitingRead[]): Promise<void> {
    let after = Math.min(...group.map(({ item }) => item.after));
    const found = new Map<WaitingRead, EventDocument[]>(group.map((read) => [read, []]));
    const missing = (read: WaitingRead): number => read.item.limit - (found.get(read)?.length ?? 0);
    for (let open = group; open.length > 0;) {
      const size = Math.min(
        SHARED_PAGE,
        open.reduce((sum, read) => sum + missing(read), 0),
      );
      const page = await this.page(open, { after, size });
      for (const read of open) {
        const own = page.filter(({ shopper, seq }) => shopper === read.item.shopper && seq > read.item.after);
        found.get(read)?.push(...own.slice(0, missing(read)));
      }
      const isDone = (read: WaitingRead): boolean => page.length < size || missing(read) === 0;
      for (const read of open.filter(isDone)) read.resolve(found.get(read) ?? []);
      open = open.filter((read) => !isDone(read));
      after = page.at(-1)?.seq ?? after;
    }
  }

  /** All of a group are of one store, and count or not. */
  private async page(group: readonly WaitingRead[], range: { after: number; size: number }): Promise<EventDocument[]> {
    const [first] = group;
    if (!first) return [];
    const { store, counted } = first.item;
    const shoppers = [...new Set(group.map(({ item }) => item.shopper))];
    const found = await this.events.page(ofShoppers(store, shoppers, counted), range);
    return found.map(({ source }) => source);
  }
}

/** By store and by what counts, a search for each. */
function groupsOf(reads: readonly WaitingRead[]): WaitingRead[][] {
  const groups = new Map<string, WaitingRead[]>();
  for (const read of reads) {
    const name = `${read.item.store} ${read.item.counted}`;
    groups.set(name, [...(groups.get(name) ?? []), read]);
  }
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / TOGETHER) }, (_, part) =>
      group.slice(part * TOGETHER, (part + 1) * TOGETHER),
    ),
  );
}
