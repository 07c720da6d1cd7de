import type { BulkItem, BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import { unavailable } from '../../../../storage/elastic/elastic-connection';
import { deviceKey } from '../../../shoppers/shopper';
import type { AppendResult, NewEvent } from '../../event-log';
import { claims, deviceOf, draftDocument, type Draft, draftsOf, isUnclaimed } from './planned-writes';
import type { Erasures } from './erasures';
import { partsOf, type Place, placeOf } from './event-document';
import { type EventIndex, type FoundEvent, writeOver } from './event-index';
import { ofShoppers } from './event-requests';
import type { KeyName } from './key-index';
import type { Marks, TakenMark } from './pending-markers';
import type { Once } from './idempotency';
import type { ProcessNumber } from './process-number';

export interface AppenderParts {
  events: EventIndex;
  once: Once;
  marks: Marks;
  erasures: Erasures;
  numbers: ProcessNumber;
  now: () => number;
}

interface Placed {
  event: NewEvent;
  place: Place;
  /** Its key goes with it in one request, and is looked at afterwards. */
  withKey: boolean;
}

/** By `deviceOf`: devices with events that wait for a user. */
type DeviceMarks = ReadonlyMap<string, TakenMark | null>;
type Results = Map<NewEvent, AppendResult>;

const markOf = ({ store, deviceId }: NewEvent): KeyName => ({ kind: 'device', store, name: deviceId ?? '' });
const succeeded = (item: BulkItem | undefined): boolean => item !== undefined && item.status < 300;

/**
 * Writes events, what they claim and the marks by which that is found later (docs/adr/0009-the-log-first-then-the-recent-events.md).
 * Whatever is missing after a process died was not acknowledged, and a repeat adds it.
 */
export class Appender {
  constructor(private readonly parts: AppenderParts) {}

  async append(events: readonly NewEvent[]): Promise<AppendResult[]> {
    const results: Results = new Map();
    for (let open = [...events]; open.length > 0;) {
      const { now, later } = apart(open);
      await this.appendApart(now, results);
      // A key that was taken by an event of this call is a repeat's; of several keys it may have been another that was.
      open = later.flatMap(({ event, after }) => {
        const first = results.get(after)?.outcome;
        if (first === 'stored' || (first === 'duplicate' && after.idempotencyKeys.length === 1)) {
          results.set(event, { outcome: 'duplicate' });
        }
        return results.has(event) ? [] : [event];
      });
    }
    return events.map((event) => results.get(event) ?? { outcome: 'duplicate' });
  }

  /** No two of them under the same key. */
  private async appendApart(events: readonly NewEvent[], results: Results): Promise<void> {
    const { erasures, numbers, now, marks } = this.parts;
    const sequence = await numbers.sequence();
    const next = (): number => sequence.next(now());
    const [{ erased, looked }, devices] = await Promise.all([erasures.look(events), this.devicesOf(events)]);
    for (const event of erased) results.set(event, { outcome: 'erased' });
    const alive = events.filter((event) => !erased.has(event));
    const placed = await this.placed(alive, devices, next);
    const drafts = draftsOf(placed, await this.unclaimedOf(placed, devices), next);
    const moved = await this.write(drafts, placed, results);
    const stored = drafts.map(({ event }) => event).filter((event) => results.has(event));
    const repeats = alive.filter((event) => !results.has(event));
    for (const event of repeats) results.set(event, { outcome: 'duplicate' });
    const [late] = await Promise.all([
      erasures.since(looked, stored),
      // Of a repeat, too: the first may not have come so far.
      marks.set(marksOf(drafts, repeats)),
      this.settle(drafts, devices, moved),
    ]);
    await this.takeBack(
      drafts.filter(({ event }) => late.has(event)),
      results,
    );
  }

  private async devicesOf(events: readonly NewEvent[]): Promise<DeviceMarks> {
    const devices = new Map(events.filter(claims).map((event) => [deviceOf(event), markOf(event)]));
    const taken = await this.parts.marks.take([...devices.values()]);
    return new Map(Array.from(devices.keys(), (device, at) => [device, taken[at] ?? null]));
  }

  /** Those that are no repeats as far as is known before they are written. */
  private async placed(events: readonly NewEvent[], devices: DeviceMarks, next: () => number): Promise<Placed[]> {
    // What other events move with has to be known for no repeat before.
    const alone = new Set(events.filter((event) => event.userId === null && event.deviceId !== null).map(deviceOf));
    const isFirst = (event: NewEvent): boolean =>
      claims(event) && (Boolean(devices.get(deviceOf(event))) || alone.has(deviceOf(event)));
    const together = new Set(events.filter(isFirst).map(deviceOf));
    const placed = await Promise.all(
      events.map(async (event): Promise<Placed[]> => {
        const own = placeOf(event, next());
        const keys = event.idempotencyKeys.length;
        const withKey = keys === 1 && !(event.deviceId !== null && together.has(deviceOf(event)));
        const place = withKey || keys === 0 ? own : await this.parts.once.place(event, own);
        return place ? [{ event, place, withKey }] : [];
      }),
    );
    return placed.flat();
  }

  private async unclaimedOf(placed: readonly Placed[], devices: DeviceMarks): Promise<Map<string, FoundEvent[]>> {
    const claiming = placed.map(({ event }) => event).filter((event) => claims(event) && devices.get(deviceOf(event)));
    const found = new Map<string, FoundEvent[]>();
    for (const store of new Set(claiming.map((event) => event.store))) {
      const ids = claiming.filter((event) => event.store === store).map(({ deviceId }) => deviceId ?? '');
      for await (const page of this.parts.events.pages(ofShoppers(store, [...new Set(ids)].map(deviceKey)))) {
        for (const event of page) {
          const device = deviceOf({ store, deviceId: event.source.device });
          found.set(device, [...(found.get(device) ?? []), event]);
        }
      }
    }
    return found;
  }

  /** Sets the results of those that were stored; the stored events that were moved. */
  private async write(drafts: readonly Draft[], placed: readonly Placed[], results: Results): Promise<Set<FoundEvent>> {
    const { events, once } = this.parts;
    const withKey = new Set(placed.filter((one) => one.withKey).map(({ event }) => event));
    const operations = drafts.flatMap((draft): BulkOperation[] => [
      ...draft.moves.map(({ found, document }) => writeOver(found, document)),
      events.create(draft.place, draftDocument(draft)),
      ...(withKey.has(draft.event) ? [once.take(draft.event, draft.place)] : []),
    ]);
    const items = (await events.write(operations)).values();
    const done = (): boolean => succeeded(items.next().value);
    const moved = new Set<FoundEvent>();
    const doubtful: Draft[] = [];
    for (const draft of drafts) {
      const { event, seq, moves, claimed } = draft;
      const own = moves.filter(() => done()).map(({ found }) => found);
      for (const found of own) moved.add(found);
      const isStored = done();
      const keyTaken = withKey.has(event) && !done();
      if (isStored) results.set(event, { outcome: 'stored', seq, claimed: claimed + own.length });
      if (isStored && keyTaken) doubtful.push(draft);
      // Another process wrote the same event just now and knows nothing of what was moved here: let it be asked again.
      if (!isStored && claimed + own.length > 0) throw unavailable(new Error('An event was written twice at once'));
    }
    await Promise.all(doubtful.map((draft) => this.confirm(draft, results)));
    return moved;
  }

  private async confirm(draft: Draft, results: Results): Promise<void> {
    const { events, once } = this.parts;
    const own = draft.place;
    const place = await once.confirm(draft.event, own);
    if (place === own) return;
    const [item] = place === null ? [] : await events.write([events.create(place, draftDocument(draft))]);
    await events.write([this.deletion(own)]);
    if (place !== null && succeeded(item)) draft.place = place;
    else results.delete(draft.event);
  }

  /** A device all of whose events were moved has no mark any more, unless it was set again meanwhile. */
  private async settle(drafts: readonly Draft[], devices: DeviceMarks, moved: ReadonlySet<FoundEvent>): Promise<void> {
    const claiming = drafts.filter(({ event }) => claims(event));
    const done = new Map(claiming.map(({ event }) => [deviceOf(event), event]));
    for (const { event, moves } of claiming) {
      if (moves.some(({ found }) => !moved.has(found))) done.delete(deviceOf(event));
    }
    const removals = Array.from(done).flatMap(([device, event]) => {
      const mark = devices.get(device);
      return mark ? [this.parts.marks.remove(markOf(event), mark)] : [];
    });
    await this.parts.events.write(removals);
  }

  /** Their user was erased while they were written. */
  private async takeBack(drafts: readonly Draft[], results: Results): Promise<void> {
    if (drafts.length === 0) return;
    const deletions = drafts.flatMap(({ place, moves }): BulkOperation[] => [
      this.deletion(place),
      ...moves.map(({ found: { index, id } }): BulkOperation => ({ type: 'delete', index, id })),
    ]);
    await this.parts.events.write(deletions);
    for (const { event } of drafts) results.set(event, { outcome: 'erased' });
    // Whoever keeps what the device did has to look anew.
    if (drafts.some(({ moves }) => moves.length > 0)) throw unavailable(new Error('The user was just erased'));
  }

  private deletion(place: Place): BulkOperation {
    const { index, id } = partsOf(place);
    return { type: 'delete', index: this.parts.events.connection.index(index), id };
  }
}

/** By which what was written is found. */
function marksOf(drafts: readonly Draft[], repeats: readonly NewEvent[]): KeyName[] {
  const unclaimed = drafts.filter(isUnclaimed).map(({ event }) => event);
  const again = repeats.filter(({ userId, deviceId }) => userId === null && deviceId !== null);
  const waiting = [...drafts.map(({ event }) => event), ...repeats].flatMap(({ store, pendingProducts }) =>
    pendingProducts.map((name): KeyName => ({ kind: 'product', store, name })),
  );
  const all = [...[...unclaimed, ...again].map(markOf), ...waiting];
  return [...new Map(all.map((mark) => [JSON.stringify(mark), mark])).values()];
}

/** Events that share a key with an earlier one come later, when that one is done. */
function apart(events: readonly NewEvent[]): { now: NewEvent[]; later: { event: NewEvent; after: NewEvent }[] } {
  const holders = new Map<string, NewEvent>();
  const now: NewEvent[] = [];
  const later: { event: NewEvent; after: NewEvent }[] = [];
  for (const event of events) {
    const names = event.idempotencyKeys.map((key) => JSON.stringify([event.store, key]));
    const after = names.map((name) => holders.get(name)).find((holder) => holder);
    if (after) later.push({ event, after });
    else {
      now.push(event);
      for (const name of names) holders.set(name, event);
    }
  }
  return { now, later };
}
