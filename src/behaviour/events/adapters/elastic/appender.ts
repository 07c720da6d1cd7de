import type { BulkItem, BulkOperation } from '../../../../storage/bulk-gatherer';
import { unavailable } from '../../../../storage/elastic';
import type { Found } from '../../../../storage/read-gatherer';
import { deviceKey } from '../../../shopper';
import type { AppendResult, NewEvent } from '../../event-log';
import { claims, deviceOf, draftDocument, type Draft, draftsOf, isUnclaimed } from './drafts';
import type { Erasures } from './erasures';
import { newPlace, partsOf, type Place } from './event-document';
import { type EventIndex, type FoundEvent, writeOver } from './event-index';
import { ofShoppers } from './event-requests';
import type { KeyIndex, KeyName } from './key-index';
import type { Once } from './once';
import type { ProcessNumber } from './process-number';

export interface AppenderParts {
  events: EventIndex;
  keys: KeyIndex;
  once: Once;
  erasures: Erasures;
  numbers: ProcessNumber;
  now: () => number;
}

interface Placed {
  event: NewEvent;
  place: Place;
}

type Mark = Found<unknown> | null;

const markOf = ({ store, deviceId }: NewEvent): KeyName => ({ kind: 'device', store, name: deviceId ?? '' });

/**
 * Writes events in this order: keys, then events (and what they claim) in one request, then the marks by which what was
 * written is found without a search. Whatever is missing after a process died was not acknowledged, and a repeat adds it.
 */
export class Appender {
  constructor(private readonly parts: AppenderParts) {}

  async append(events: readonly NewEvent[]): Promise<AppendResult[]> {
    const results = new Map<NewEvent, AppendResult>();
    for (let open = [...events]; open.length > 0;) {
      const { now, later } = apart(open);
      await this.appendApart(now, results);
      // A key that was taken by an event of this call is a repeat's; of several keys it may have been another that was.
      open = later.flatMap(({ event, after }) => {
        const settled = after.onceKeys.length === 1 || results.get(after)?.outcome === 'stored';
        if (settled && results.get(after)?.outcome !== 'erased') results.set(event, { outcome: 'duplicate' });
        return results.has(event) ? [] : [event];
      });
    }
    return events.map((event) => results.get(event) ?? { outcome: 'duplicate' });
  }

  /** No two of them under the same key. */
  private async appendApart(events: readonly NewEvent[], results: Map<NewEvent, AppendResult>): Promise<void> {
    const { erasures, once, numbers, now } = this.parts;
    const sequence = await numbers.sequence();
    const claiming = events.filter(claims);
    const [{ erased, looked }, marks] = await Promise.all([erasures.look(events), this.marksOf(claiming)]);
    const alive = events.filter((event) => !erased.has(event));
    const next = (): number => sequence.next(now());
    const places = await Promise.all(alive.map((event) => once.place(event, newPlace(event.at, next()))));
    const placed = alive.flatMap((event, index): Placed[] => {
      const place = places[index];
      return place ? [{ event, place }] : [];
    });
    const unclaimed = await this.unclaimedOf(placed, marks);
    const drafts = draftsOf(placed, unclaimed, next);
    const moved = await this.write(drafts, results);
    const settled = this.settledMarks(drafts, marks, moved);
    const repeats = alive.filter((event) => !results.has(event));
    const [late] = await Promise.all([
      erasures.since(
        looked,
        drafts.map(({ event }) => event),
      ),
      // Of a repeat, too: the first may not have come so far.
      this.parts.keys.write([...this.newMarks(drafts, repeats), ...settled]),
    ]);
    for (const event of repeats) results.set(event, { outcome: 'duplicate' });
    for (const event of erased) results.set(event, { outcome: 'erased' });
    await this.takeBack(
      drafts.filter(({ event }) => late.has(event)),
      results,
    );
  }

  /** By `deviceOf`: whether any event of the device waits for a user. */
  private async marksOf(claiming: readonly NewEvent[]): Promise<Map<string, Mark>> {
    const devices = new Map(claiming.map((event) => [deviceOf(event), markOf(event)]));
    const found = await this.parts.keys.read([...devices.values()]);
    return new Map(Array.from(devices.keys(), (device, index) => [device, found[index] ?? null]));
  }

  private async unclaimedOf(
    placed: readonly Placed[],
    marks: ReadonlyMap<string, Mark>,
  ): Promise<Map<string, FoundEvent[]>> {
    const claiming = placed
      .filter(({ event }) => claims(event) && marks.get(deviceOf(event)))
      .map(({ event }) => event);
    const found = new Map<string, FoundEvent[]>();
    for (const store of new Set(claiming.map((event) => event.store))) {
      const shoppers = new Set(
        claiming.flatMap((event) => (event.store === store ? [deviceKey(event.deviceId ?? '')] : [])),
      );
      for await (const page of this.parts.events.pages(ofShoppers(store, [...shoppers]))) {
        for (const event of page) {
          const device = deviceOf({ store, deviceId: event.source.device });
          found.set(device, [...(found.get(device) ?? []), event]);
        }
      }
    }
    return found;
  }

  /** The stored events that were moved. */
  private async write(drafts: readonly Draft[], results: Map<NewEvent, AppendResult>): Promise<Set<FoundEvent>> {
    const { events } = this.parts;
    const operations = drafts.flatMap((draft): BulkOperation[] => [
      ...draft.moves.map(({ found, document }) => writeOver(found, document)),
      events.create(draft.place, draftDocument(draft)),
    ]);
    const items = (await events.write(operations)).values();
    const done = (): boolean => (items.next().value as BulkItem).status < 300;
    const moved = new Set<FoundEvent>();
    for (const { event, seq, moves, claimed } of drafts) {
      const own = moves.filter(() => done()).map(({ found }) => found);
      for (const found of own) moved.add(found);
      if (done()) results.set(event, { outcome: 'stored', seq, claimed: claimed + own.length });
      // Another process wrote the same event just now and knows nothing of what was moved here: let it be asked again.
      else if (claimed + own.length > 0) throw unavailable(new Error('An event was written twice at once'));
    }
    return moved;
  }

  private newMarks(drafts: readonly Draft[], repeats: readonly NewEvent[]): BulkOperation[] {
    const { keys } = this.parts;
    const marks = new Map<string, BulkOperation>();
    const add = (name: KeyName): void => void marks.set(JSON.stringify(name), keys.put(name));
    const unclaimed = drafts.filter(isUnclaimed).map(({ event }) => event);
    const again = repeats.filter(({ userId, deviceId }) => userId === null && deviceId !== null);
    for (const event of [...unclaimed, ...again]) add(markOf(event));
    for (const { store, pendingProducts } of [...drafts.map(({ event }) => event), ...repeats]) {
      for (const product of pendingProducts) add({ kind: 'product', store, name: product });
    }
    return [...marks.values()];
  }

  /** A device all of whose events were moved has no mark any more, unless it was set again meanwhile. */
  private settledMarks(
    drafts: readonly Draft[],
    marks: ReadonlyMap<string, Mark>,
    moved: ReadonlySet<FoundEvent>,
  ): BulkOperation[] {
    const claiming = drafts.filter(({ event }) => claims(event));
    const devices = new Map(claiming.map(({ event }) => [deviceOf(event), event]));
    for (const { event, moves } of claiming) {
      if (moves.some(({ found }) => !moved.has(found))) devices.delete(deviceOf(event));
    }
    return Array.from(devices).flatMap(([device, event]) => {
      const mark = marks.get(device);
      return mark ? [this.parts.keys.remove(markOf(event), mark)] : [];
    });
  }

  /** Their user was erased while they were written. */
  private async takeBack(drafts: readonly Draft[], results: Map<NewEvent, AppendResult>): Promise<void> {
    if (drafts.length === 0) return;
    const { events } = this.parts;
    const operations = drafts.flatMap(({ place, moves }): BulkOperation[] => {
      const { index, id } = partsOf(place);
      const own = { index: events.connection.index(index), id };
      return [own, ...moves.map(({ found }) => found)].map((one) => ({ type: 'delete', index: one.index, id: one.id }));
    });
    await events.write(operations);
    for (const { event } of drafts) results.set(event, { outcome: 'erased' });
    // Whoever keeps what the device did has to look anew.
    if (drafts.some(({ moves }) => moves.length > 0)) throw unavailable(new Error('The user was just erased'));
  }
}

/** Events that share a key with an earlier one come later, when that one is done. */
function apart(events: readonly NewEvent[]): { now: NewEvent[]; later: { event: NewEvent; after: NewEvent }[] } {
  const holders = new Map<string, NewEvent>();
  const now: NewEvent[] = [];
  const later: { event: NewEvent; after: NewEvent }[] = [];
  for (const event of events) {
    const names = event.onceKeys.map((key) => JSON.stringify([event.store, key]));
    const after = names.map((name) => holders.get(name)).find((holder) => holder);
    if (after) later.push({ event, after });
    else {
      now.push(event);
      for (const name of names) holders.set(name, event);
    }
  }
  return { now, later };
}
