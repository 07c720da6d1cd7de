import type { EvidenceEvent } from '../../ranking/vectors/evidence';
import type { BehaviourVector, HalfLives } from '../../ranking/vectors/vector';
import type { AppendResult, NewEvent, StoredEvent } from '../events/event-log';
import type { ShopperKey } from '../shoppers/shopper';

export interface Profile {
  /** The long-term vector; null: never rebuilt. */
  vector: BehaviourVector | null;
  /** The last event aggregated into `vector`; 0: none. */
  watermark: number;
  /** The recent events: counted events after the watermark, in sequence order. */
  recentEvents: EvidenceEvent[];
  updatedAt: number | null;
}

export interface ProfileRequest {
  store: string;
  shopper: ShopperKey;
}

/** A visit is over after half an hour without a new event; what was decoded for it leaves the memory. Milliseconds. */
export const VISIT_MS = 30 * 60_000;

/** Items of an event, or the features of one without products. */
export const entriesOf = ({ items, features }: EvidenceEvent): number => items.length + (features?.length ?? 0);

/** Recent events of one shopper, and their entries, that are aggregated before their time: every search aggregates all of them. */
const MANY_EVENTS = 200;
const MANY_ENTRIES = 500;

export function areMany(events: readonly EvidenceEvent[]): boolean {
  return events.length > MANY_EVENTS || events.reduce((sum, event) => sum + entriesOf(event), 0) > MANY_ENTRIES;
}

/** For maps. */
export const profileName = ({ store, shopper }: ProfileRequest): string => `${store}\n${shopper}`;

export interface AggregateRequest extends ProfileRequest {
  /** Events received from then on are left out, epoch ms. */
  until: number;
  halfLife: HalfLives;
  /** From the first event on; otherwise from the stored vector. */
  fromScratch: boolean;
}

/** What a write has done to the log. `completed`: events as they were before they got new evidence and a new sequence number. */
export type LogChange =
  { appended: readonly NewEvent[]; results: readonly AppendResult[] } | { completed: readonly StoredEvent[] };

/**
 * Behaviour vectors and the events not yet in them. `read` is one round trip and sees every event whose write was noted. Left out on
 * purpose: formulas (plain functions in src/ranking).
 */
export abstract class ProfileStore {
  /** How many `aggregate` calls do well to run at the same time. */
  abstract readonly aggregationsAtOnce: number;
  /** Writes to the log, then notes the change: a `read` sees it when this resolves. A change that can't be noted is found in the log
   * later. Throws only what `write` throws. */
  abstract noting<T>(write: () => Promise<T>, changeOf: (written: T) => LogChange): Promise<T>;
  /** Profiles in the order asked; null where nothing at all is known. */
  abstract read(requests: ProfileRequest[]): Promise<(Profile | null)[]>;
  /** Shoppers with recent events received before `before` (epoch ms), longest waiting first; before them those who have too many for a
   * search to aggregate, however young, as far as that was noticed. */
  abstract dirty(query: { before: number; limit: number }): Promise<ProfileRequest[]>;
  /** Aggregates the log into the vector of one shopper and stores vector, watermark and trimmed recent events in one write.
   * Returns the number of events aggregated. */
  abstract aggregate(request: AggregateRequest): Promise<number>;
  /** Shoppers of a store with anything known, in key order, a page at a time. */
  abstract shoppers(query: { store: string; after?: string; limit: number }): Promise<ShopperKey[]>;
  /** Forgets the vector (not the events); true where there was one. `erasedAt` (epoch ms): the events from before are gone from the
   * log, and one that is still being noted is not taken any more. */
  abstract remove(request: ProfileRequest & { erasedAt?: number }): Promise<boolean>;
  abstract removeStore(store: string): Promise<number>;
}
