import { retryOnConflict } from '../../../../shared/async/retry';
import type { BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import { unavailable } from '../../../../storage/elastic/elastic-connection';
import type { Found } from '../../../../storage/elastic/read-batcher';
import { isUnproven, type NewEvent, provenKey } from '../../event-log';
import type { EventLocation } from './event-document';
import type { EventIndex } from './event-index';
import type { KeyFields, KeyIndex, KeyName } from './key-index';

/** How often a writer that lost a race looks again. */
const TRIES = 20;

/**
 * Decides which of several events under a key (in its namespace) is written. A key is a document that names the location of its event, and the event is
 * created at that location alone: of all processes that bring the event, one writes it. A key whose event never came (its process died
 * in between, or another of its keys was taken) is taken over by the next event that has it.
 */
export class IdempotencyKeys {
  constructor(
    private readonly keys: KeyIndex,
    private readonly events: EventIndex,
  ) {}

  /**
   * For an event under one key: to be written in one request with the event at its own location. `confirm` tells what it
   * means where the key was taken and the event was not there.
   */
  keyOperation({ store, at, idempotencyKeys: [name = ''] }: NewEvent, own: EventLocation): BulkOperation {
    return this.keys.over({ kind: 'key', store, name }, null, { event: own, at });
  }

  /** Where the event that was just written at its own location has to be: there, or elsewhere; null: it is a repeat. */
  confirm(event: NewEvent, own: EventLocation): Promise<EventLocation | null> {
    return this.settle(event, own, true);
  }

  /** Takes the keys of an event before it is written. Where to create it; null: it is a repeat. `own`: the location it would have. */
  take(event: NewEvent, own: EventLocation): Promise<EventLocation | null> {
    return this.settle(event, own, false);
  }

  /** Whether an event without store keys came with them already. */
  async isProven({ store, idempotencyKeys }: NewEvent): Promise<boolean> {
    const proven = await this.keys.read(provenNames(store, idempotencyKeys));
    return this.anySeen(
      store,
      proven.flatMap((key) => key ?? []),
    );
  }

  private async settle(event: NewEvent, own: EventLocation, isWritten: boolean): Promise<EventLocation | null> {
    const { location } = await retryOnConflict(() => this.settleOnce(event, own, isWritten), {
      times: TRIES,
      exhausted: () => unavailable(new Error('Too many writers under one key')),
    });
    return location;
  }

  /** Null: another writer was faster. */
  private async settleOnce(
    { store, at, idempotencyKeys }: NewEvent,
    own: EventLocation,
    isWritten: boolean,
  ): Promise<{ location: EventLocation | null } | null> {
    const names = namesOfKeys({ store, idempotencyKeys });
    const [found, proven] = await Promise.all([
      this.keys.read(names),
      this.keys.read(provenNames(store, idempotencyKeys)),
    ]);
    const known = found.flatMap((key) => key ?? []);
    const named = known[0]?.source.event as EventLocation | undefined;
    if (isWritten && named === own) {
      // Its location is free once more where the event was removed for its age.
      return { location: (await this.anyExpired(store, known)) ? null : own };
    }
    if (await this.anySeen(store, [...known, ...proven.flatMap((key) => key ?? [])])) return { location: null };
    const location = named ?? own;
    const items = await this.keys.write(
      names.map((name, index) => this.keys.over(name, found[index] ?? null, { event: location, at })),
    );
    return items.every(({ status }) => status < 300) ? { location } : null;
  }

  private async anySeen(store: string, keys: Found<KeyFields>[]): Promise<boolean> {
    if (keys.length === 0) return false;
    if (keys.some(({ source }) => source.spent)) return true;
    const locations = keys.map(({ source }) => source.event as EventLocation);
    if ((await this.events.stored(locations)).size > 0) return true;
    return this.anyExpired(store, keys);
  }

  private async anyExpired(store: string, keys: Found<KeyFields>[]): Promise<boolean> {
    const [expired] = await this.keys.read([{ kind: 'expired', store, name: '' }]);
    return keys.some(({ source }) => (source.at ?? 0) < (expired?.source.at ?? Number.MIN_SAFE_INTEGER));
  }
}

export function namesOfKeys({ store, idempotencyKeys }: Pick<NewEvent, 'store' | 'idempotencyKeys'>): KeyName[] {
  return idempotencyKeys.map((name) => ({ kind: 'key', store, name }));
}

/** Of the keys of what came without store keys, those of what comes with them. */
function provenNames(store: string, keys: readonly string[]): KeyName[] {
  return keys.filter(isUnproven).map((key) => ({ kind: 'key', store, name: provenKey(key) }));
}
