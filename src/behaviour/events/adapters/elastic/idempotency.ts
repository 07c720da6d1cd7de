import type { BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import { unavailable } from '../../../../storage/elastic/elastic-connection';
import type { Found } from '../../../../storage/elastic/read-batcher';
import type { NewEvent } from '../../event-log';
import type { Place } from './event-document';
import type { EventIndex } from './event-index';
import type { KeyFields, KeyIndex, KeyName } from './key-index';

/** Writers that lose a race look again, so often. */
const TRIES = 20;

/**
 * Which of several events under a key is written. A key is a document that names the place of its event, and the event is
 * created at that place alone: of all who hold the key, on whatever process, one writes it. A key whose event never came
 * (its process died in between, or another of its keys was taken) is taken over by the next who brings one.
 */
export class Once {
  constructor(
    private readonly keys: KeyIndex,
    private readonly events: EventIndex,
  ) {}

  /**
   * For an event under one key: to be written in one request with the event at its own place. `confirm` tells what it
   * means where the key was taken and the event was not there.
   */
  take({ store, at, idempotencyKeys: [name = ''] }: NewEvent, own: Place): BulkOperation {
    return this.keys.over({ kind: 'key', store, name }, null, { event: own, at });
  }

  /** Where the event that was just written at its own place has to be: there, or elsewhere; null: it is a repeat. */
  async confirm({ store, at, idempotencyKeys: [name = ''] }: NewEvent, own: Place): Promise<Place | null> {
    const key: KeyName = { kind: 'key', store, name };
    for (let tries = 0; tries < TRIES; tries += 1) {
      const [found = null] = await this.keys.read([key]);
      // Its place is free once more where the event was removed for its age.
      if (found?.source.event === own) return (await this.anyExpired(store, [found])) ? null : own;
      if (found && (await this.anySeen(store, [found]))) return null;
      const place = (found?.source.event as Place | undefined) ?? own;
      const [item] = await this.keys.write([this.keys.over(key, found, { event: place, at })]);
      if (item && item.status < 300) return place;
    }
    throw unavailable(new Error('Too many writers under one key'));
  }

  /** Where to create the event, its keys taken before; null: it is a repeat. `own`: the place it would have. */
  async place(event: NewEvent, own: Place): Promise<Place | null> {
    const names = event.idempotencyKeys.map((name): KeyName => ({ kind: 'key', store: event.store, name }));
    return names.length === 0 ? own : this.settle(event, names, own);
  }

  private async settle({ store, at }: NewEvent, names: KeyName[], own: Place): Promise<Place | null> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const found = await this.keys.read(names);
      const known = found.flatMap((key) => (key ? [key] : []));
      if (await this.anySeen(store, known)) return null;
      const place = (known[0]?.source.event as Place | undefined) ?? own;
      const fields = { event: place, at };
      const items = await this.keys.write(
        names.map((name, index) => this.keys.over(name, found[index] ?? null, fields)),
      );
      if (items.every(({ status }) => status < 300)) return place;
    }
    throw unavailable(new Error('Too many writers under one key'));
  }

  private async anySeen(store: string, keys: Found<KeyFields>[]): Promise<boolean> {
    if (keys.length === 0) return false;
    if (keys.some(({ source }) => source.spent)) return true;
    const places = keys.map(({ source }) => source.event as Place);
    if ((await this.events.stored(places)).size > 0) return true;
    return this.anyExpired(store, keys);
  }

  private async anyExpired(store: string, keys: Found<KeyFields>[]): Promise<boolean> {
    const [expired] = await this.keys.read([{ kind: 'expired', store, name: '' }]);
    return keys.some(({ source }) => (source.at ?? 0) < (expired?.source.at ?? Number.MIN_SAFE_INTEGER));
  }
}
