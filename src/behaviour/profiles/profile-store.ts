import type { ShopperKey } from '../shoppers/shopper';
import type { EvidenceEvent } from '../../ranking/evidence';
import type { BehaviourVector, HalfLives } from '../../ranking/vector';

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

/**
 * Behaviour vectors and the events not yet in them. `read` is one round trip and sees every event whose append has
 * resolved. Left out on purpose: aggregating and formulas (plain functions beside this port).
 */
export abstract class ProfileStore {
  /** Aggregates that do well to be asked for at the same time. */
  abstract readonly aggregationsAtOnce: number;
  /** Profiles in the order asked; null where nothing at all is known. */
  abstract read(requests: ProfileRequest[]): Promise<(Profile | null)[]>;
  /** Shoppers with recent events older than `before` (epoch ms of receipt), longest waiting first. */
  abstract dirty(query: { before: number; limit: number }): Promise<ProfileRequest[]>;
  /** Aggregates the log into the vector of one shopper, up to events received before `until`, and stores vector, watermark
   * and trimmed recent events in one write. `fromScratch`: from the first event on, else from the stored vector.
   * Returns the number of events aggregated. */
  abstract aggregate(
    request: ProfileRequest & { until: number; halfLife: HalfLives; fromScratch: boolean },
  ): Promise<number>;
  /** Shoppers of a store with anything known, in key order, a page at a time. */
  abstract shoppers(query: { store: string; after?: string; limit: number }): Promise<ShopperKey[]>;
  /** Forgets the vector (not the events); true where there was one. */
  abstract remove(request: ProfileRequest): Promise<boolean>;
  abstract removeStore(store: string): Promise<number>;
}
