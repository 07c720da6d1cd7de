import type { Found } from '../../../../storage/elastic/read-batcher';
import { ERASED_REMEMBERED_MS, isErasedEvent, type NewEvent } from '../../event-log';
import type { KeyFields, KeyIndex, KeyName } from './key-index';

/** The state of each store's erasures when it was read; null: the store never erased anybody. */
export type Looked = ReadonlyMap<string, number | null>;

const erasuresOf = (store: string): KeyName => ({ kind: 'erasures', store, name: '' });
export const erasedName = (store: string, hash: string): KeyName => ({ kind: 'erased', store, name: hash });

/**
 * Finds events of users who were erased: before they are written and, where an erasure came meanwhile, once more afterwards. So
 * either the erasure removes an event, or the event's writer sees the erasure.
 */
export class Erasures {
  /** As last read. Where this is out of date, `since` notices it after the write. */
  private known = new Map<string, number | null>();

  constructor(private readonly keys: KeyIndex) {}

  /** Events to drop, and what to give to `since`. */
  async look(events: readonly NewEvent[]): Promise<{ erased: Set<NewEvent>; looked: Looked }> {
    const stores = storesOf(events);
    await this.read(stores.filter((store) => !this.known.has(store)));
    const looked = new Map(stores.map((store) => [store, this.known.get(store) ?? null]));
    return { erased: await this.erasedAmong(events, ({ store }) => (looked.get(store) ?? null) !== null), looked };
  }

  /** Those of the events just written whose users were erased meanwhile. */
  async since(looked: Looked, events: readonly NewEvent[]): Promise<Set<NewEvent>> {
    await this.read(storesOf(events));
    return this.erasedAmong(events, ({ store }) => (this.known.get(store) ?? null) !== (looked.get(store) ?? null));
  }

  /** From then on, events of this user from before `at` are dropped. */
  async add(store: string, hash: string, at: number): Promise<void> {
    const name = erasedName(store, hash);
    for (let done = false; !done;) {
      const [found = null] = await this.keys.read([name]);
      const fields = { at: Math.max(at, found?.source.at ?? at) };
      const [item] = await this.keys.write([this.keys.over(name, found, fields), this.keys.put(erasuresOf(store))]);
      done = item !== undefined && item.status < 300;
    }
    await this.read([store]);
  }

  /** The latest of what is remembered; null: nothing. */
  async latest(store: string, hashes: readonly string[], now: number): Promise<number | null> {
    const found = await this.keys.read(hashes.map((hash) => erasedName(store, hash)));
    const times = timesOf(found).filter((at) => at > now - ERASED_REMEMBERED_MS);
    return times.length > 0 ? Math.max(...times) : null;
  }

  private async read(stores: readonly string[]): Promise<void> {
    const found = await this.keys.read(stores.map(erasuresOf));
    stores.forEach((store, index) => this.known.set(store, found[index]?.seqNo ?? null));
  }

  private async erasedAmong(events: readonly NewEvent[], asked: (event: NewEvent) => boolean): Promise<Set<NewEvent>> {
    const erased = await Promise.all(
      events.filter(asked).map(async (event) => ((await this.isErased(event)) ? [event] : [])),
    );
    return new Set(erased.flat());
  }

  private async isErased(event: NewEvent): Promise<boolean> {
    const found = await this.keys.read(event.userHashes.map((hash) => erasedName(event.store, hash)));
    return timesOf(found).some((erasedAt) => isErasedEvent(event, erasedAt));
  }
}

const storesOf = (events: readonly NewEvent[]): string[] => [
  ...new Set(events.filter(({ userHashes }) => userHashes.length > 0).map(({ store }) => store)),
];

const timesOf = (found: (Found<KeyFields> | null)[]): number[] =>
  found.flatMap((one) => (one ? [one.source.at ?? 0] : []));
