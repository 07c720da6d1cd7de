import type { ShopperKey } from '../../../shoppers/shopper';
import { userKey } from '../../../shoppers/shopper';
import type { NewEvent } from '../../event-log';
import { documentOf, type EventDocument, type Place, shopperOf } from './event-document';
import type { FoundEvent } from './event-index';

/** An event that is about to be written, and what goes with it. */
export interface Draft {
  event: NewEvent;
  place: Place;
  seq: number;
  shopper: ShopperKey | null;
  /** Stored events that become this one's user's, as they are written over. */
  moves: { found: FoundEvent; document: EventDocument }[];
  /** Those before it in the same append that become the user's. */
  claimed: number;
}

/** A device of a store, for maps. */
export const deviceOf = ({ store, deviceId }: Pick<NewEvent, 'store' | 'deviceId'>): string =>
  JSON.stringify([store, deviceId]);

/** Whether what the device did becomes the user's. */
export function claims({ userId, deviceId, verdict }: NewEvent): boolean {
  return userId !== null && deviceId !== null && verdict !== 'bot';
}

/** Only a device is known, so somebody may claim it later. */
export function isUnclaimed({ shopper }: Pick<Draft, 'shopper'>): boolean {
  return shopper?.startsWith('d:') ?? false;
}

/**
 * Events as they are written, in the order given, each with the next sequence number. A claim takes what is stored of its
 * device (`unclaimed`, by `deviceOf`) and what came before it here, under new numbers just before its own.
 */
export function draftsOf(
  events: readonly { event: NewEvent; place: Place }[],
  unclaimed: ReadonlyMap<string, readonly FoundEvent[]>,
  next: () => number,
): Draft[] {
  const stored = new Map(unclaimed);
  const earlier = new Map<string, Draft[]>();
  return events.map(({ event, place }) => {
    const draft: Draft = { event, place, seq: 0, shopper: shopperOf(event), moves: [], claimed: 0 };
    const device = deviceOf(event);
    if (claims(event)) {
      draft.moves = (stored.get(device) ?? []).map((found) => ({
        found,
        document: { ...found.source, seq: next(), shopper: userKey(event.userId ?? '') },
      }));
      for (const other of earlier.get(device) ?? []) {
        other.seq = next();
        other.shopper = draft.shopper;
        draft.claimed += 1;
      }
      stored.delete(device);
      earlier.delete(device);
    } else if (isUnclaimed(draft)) {
      earlier.set(device, [...(earlier.get(device) ?? []), draft]);
    }
    draft.seq = next();
    return draft;
  });
}

export function draftDocument({ event, seq, shopper }: Draft): EventDocument {
  return documentOf(event, seq, shopper);
}
