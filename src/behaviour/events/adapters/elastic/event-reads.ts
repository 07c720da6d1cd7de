import type { estypes } from '@elastic/elasticsearch';
import type { ShopperKey } from '../../../shoppers/shopper';
import type { UserTraces } from '../../event-log';
import type { EventDocument } from './event-document';
import { type EventIndex, PATIENCE } from './event-index';
import { devicesRequest, ofShoppers, shoppersRequest } from './event-requests';

export interface ShopperRead {
  store: string;
  shopper: ShopperKey;
  after: number;
  counted: boolean;
  limit: number;
}

interface Waiting {
  asked: ShopperRead;
  /** Found so far. */
  found: EventDocument[];
  resolve(events: EventDocument[]): void;
  reject(error: unknown): void;
}

interface DeviceBucket {
  key: string;
  first: { value: number };
  last: { value: number };
}

/** Shoppers of one search. */
const TOGETHER = 50;
/** Events of one search. */
const SHARED_PAGE = 1000;

/**
 * Events of one shopper each, for many callers: what is asked while the log is searched shares the next refresh, and searches of fifty
 * shoppers each. A refresh costs more than the search, and the search of one shopper nearly as much as that of all.
 */
export class EventReads {
  private waiting: Waiting[] = [];
  private sending = false;

  constructor(private readonly events: EventIndex) {}

  /** Events of one shopper in sequence order, the newest too. */
  ofShopper(asked: ShopperRead): Promise<EventDocument[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ asked, found: [], resolve, reject });
      this.plan();
    });
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
    const { aggregations } = await connection.call((client, options) => client.search(request, options), PATIENCE);
    return (aggregations?.[name] as { buckets?: T[] } | undefined)?.buckets ?? [];
  }

  private plan(): void {
    if (this.sending || this.waiting.length === 0) return;
    this.sending = true;
    setImmediate(() => {
      void this.send(this.waiting.splice(0)).finally(() => {
        this.sending = false;
        this.plan();
      });
    });
  }

  private async send(waiting: Waiting[]): Promise<void> {
    try {
      await this.events.refresh();
      for (const group of together(waiting)) await this.answer(group);
    } catch (error) {
      // Those that have their answer hear nothing of it.
      for (const { reject } of waiting) reject(error);
    }
  }

  /** Page by page, until each has what it asked for. */
  private async answer(group: Waiting[]): Promise<void> {
    let after = Math.min(...group.map(({ asked }) => asked.after));
    for (let open = group; open.length > 0;) {
      const size = Math.min(
        SHARED_PAGE,
        open.reduce((sum, { asked, found }) => sum + asked.limit - found.length, 0),
      );
      const page = await this.page(open, { after, size });
      for (const one of open) {
        const own = page.filter(({ shopper, seq }) => shopper === one.asked.shopper && seq > one.asked.after);
        one.found.push(...own.slice(0, one.asked.limit - one.found.length));
      }
      const isLast = page.length < size;
      const isDone = ({ asked, found }: Waiting): boolean => isLast || found.length >= asked.limit;
      for (const { found, resolve } of open.filter(isDone)) resolve(found);
      open = open.filter((one) => !isDone(one));
      after = page.at(-1)?.seq ?? after;
    }
  }

  /** All of a group are of one store, and count or not. */
  private async page(group: readonly Waiting[], range: { after: number; size: number }): Promise<EventDocument[]> {
    const [first] = group;
    if (!first) return [];
    const { store, counted } = first.asked;
    const shoppers = [...new Set(group.map(({ asked }) => asked.shopper))];
    const found = await this.events.page(ofShoppers(store, shoppers, counted), range);
    return found.map(({ source }) => source);
  }
}

/** By store and by what counts, a search for each. */
function together(waiting: readonly Waiting[]): Waiting[][] {
  const groups = new Map<string, Waiting[]>();
  for (const one of waiting) {
    const name = `${one.asked.store} ${one.asked.counted}`;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / TOGETHER) }, (_, part) =>
      group.slice(part * TOGETHER, (part + 1) * TOGETHER),
    ),
  );
}
