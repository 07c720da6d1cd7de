import type { BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import { deviceKey, type ShopperKey, shopperOf, userKey } from '../../../shoppers/shopper';
import { claimsDevice, type NewEvent } from '../../event-log';
import { documentOf, type EventDocument, type EventLocation } from './event-document';
import { type EventIndex, type FoundEvent, writeOver } from './event-index';
import { ofShoppers } from './event-requests';
import type { KeyName } from './key-index';
import { isUnclaimed, markersOf, type PendingMarkers, type TakenMarker } from './pending-markers';

/** An event that is about to be written, and what goes with it. */
export interface PlannedWrite {
  event: NewEvent;
  location: EventLocation;
  seq: number;
  shopper: ShopperKey | null;
  /** Stored events that become this one's user's. */
  moves: { found: FoundEvent; document: EventDocument }[];
  /** How many events before it in the same append become the user's. */
  claimed: number;
}

/** By `deviceOf`; null: no event of the device waits for a user. */
export type DeviceMarkers = ReadonlyMap<string, TakenMarker | null>;

/** A device of a store, for maps. */
export const deviceOf = ({ store, deviceId }: Pick<NewEvent, 'store' | 'deviceId'>): string =>
  JSON.stringify([store, deviceId]);

const deviceMarker = ({ store, deviceId }: NewEvent): KeyName => ({ kind: 'device', store, name: deviceId ?? '' });

/** Whether what the device did becomes the user's. */
export const claims = ({ userId, deviceId, verdict }: NewEvent): boolean => claimsDevice(userId, deviceId, verdict);

/**
 * Events as they are written, in the order given, each with the next sequence number. A claim takes what is stored of its
 * device (`unclaimed`, by `deviceOf`) and what came before it here, under new numbers just before its own.
 */
export function planWrites(
  events: readonly { event: NewEvent; location: EventLocation }[],
  unclaimed: ReadonlyMap<string, readonly FoundEvent[]>,
  next: () => number,
): PlannedWrite[] {
  const stored = new Map(unclaimed);
  const earlier = new Map<string, PlannedWrite[]>();
  return events.map(({ event, location }) => {
    const planned: PlannedWrite = { event, location, seq: 0, shopper: shopperOf(event), moves: [], claimed: 0 };
    const device = deviceOf(event);
    if (claims(event)) {
      planned.moves = (stored.get(device) ?? []).map((found) => ({
        found,
        document: { ...found.source, seq: next(), shopper: userKey(event.userId ?? '') },
      }));
      for (const other of earlier.get(device) ?? []) {
        other.seq = next();
        other.shopper = planned.shopper;
        planned.claimed += 1;
      }
      stored.delete(device);
      earlier.delete(device);
    } else if (isUnclaimed(planned.shopper)) {
      earlier.set(device, [...(earlier.get(device) ?? []), planned]);
    }
    planned.seq = next();
    return planned;
  });
}

/** The moves, then the event itself. */
export function operationsOf(
  events: EventIndex,
  { event, location, seq, shopper, moves }: PlannedWrite,
): BulkOperation[] {
  return [
    ...moves.map(({ found, document }) => writeOver(found, document)),
    events.create(location, documentOf(event, seq, shopper)),
  ];
}

/** Markers by which what was written is found. Those of a repeat, too: the first may not have come so far. */
export function markersFor(planned: readonly PlannedWrite[], repeats: readonly NewEvent[]): KeyName[] {
  const written = planned.map(({ event, shopper }) => ({ ...event, shopper }));
  const repeated = repeats.map((event) => ({ ...event, shopper: shopperOf(event) }));
  const names = [...written, ...repeated].flatMap(markersOf);
  return [...new Map(names.map((name) => [JSON.stringify(name), name])).values()];
}

/** What devices did before anybody knew whose they are, and who claims it. */
export class DeviceClaims {
  constructor(
    private readonly events: EventIndex,
    private readonly markers: PendingMarkers,
  ) {}

  /** Takes the markers of the devices that are claimed. */
  async take(events: readonly NewEvent[]): Promise<DeviceMarkers> {
    const devices = new Map(events.filter(claims).map((event) => [deviceOf(event), deviceMarker(event)]));
    const taken = await this.markers.take([...devices.values()]);
    return new Map(Array.from(devices.keys(), (device, index) => [device, taken[index] ?? null]));
  }

  /** Stored events of the claimed devices, by `deviceOf`. Only where a marker says so, the log is searched. */
  async unclaimed(events: readonly NewEvent[], markers: DeviceMarkers): Promise<Map<string, FoundEvent[]>> {
    const claimed = new Map<string, Set<ShopperKey>>();
    for (const event of events.filter(claims)) {
      if (!markers.get(deviceOf(event))) continue;
      claimed.set(event.store, (claimed.get(event.store) ?? new Set()).add(deviceKey(event.deviceId ?? '')));
    }
    const found = new Map<string, FoundEvent[]>();
    for (const [store, devices] of claimed) {
      for await (const page of this.events.pages(ofShoppers(store, [...devices]))) {
        for (const event of page) {
          const device = deviceOf({ store, deviceId: event.source.device });
          found.set(device, [...(found.get(device) ?? []), event]);
        }
      }
    }
    return found;
  }

  /** Removes the markers of devices all of whose events were moved, unless they were set again meanwhile. */
  async settle(
    planned: readonly PlannedWrite[],
    markers: DeviceMarkers,
    moved: ReadonlySet<FoundEvent>,
  ): Promise<void> {
    const claiming = planned.filter(({ event }) => claims(event));
    const isWhole = ({ moves }: PlannedWrite): boolean => moves.every(({ found }) => moved.has(found));
    const broken = new Set(claiming.filter((write) => !isWhole(write)).map(({ event }) => deviceOf(event)));
    const devices = new Map(claiming.map(({ event }) => [deviceOf(event), event]));
    const removals = Array.from(devices).flatMap(([device, event]) => {
      const marker = broken.has(device) ? null : markers.get(device);
      return marker ? [this.markers.remove(deviceMarker(event), marker)] : [];
    });
    await this.events.write(removals);
  }
}
