import type { ShopperKey } from '../shopper';
import type { EvidenceEvent } from './evidence';
import type { BehaviourVector } from './vector';

export interface Profile {
  /** The long-term vector; null: never rebuilt. */
  vector: BehaviourVector | null;
  /** The last event folded into `vector`; 0: none. */
  watermark: number;
  /** The session overlay: counted events after the watermark, in sequence order. */
  overlay: EvidenceEvent[];
  updatedAt: number | null;
}

export interface ProfileRequest {
  store: string;
  shopper: ShopperKey;
}

/**
 * Behaviour vectors and the events not yet in them. `read` is one round trip and sees every event whose append has
 * resolved. Left out on purpose: folding and formulas (plain functions beside this port).
 */
export abstract class ProfileStore {
  /** Folds that do well to be asked for at the same time. */
  abstract readonly foldsAtOnce: number;
  /** Profiles in the order asked; null where nothing at all is known. */
  abstract read(requests: ProfileRequest[]): Promise<(Profile | null)[]>;
  /** Shoppers with overlay events older than `before` (epoch ms of receipt), longest waiting first. */
  abstract dirty(query: { before: number; limit: number }): Promise<ProfileRequest[]>;
  /** Folds the log into the vector of one shopper, up to events received before `until`, and stores vector, watermark
   * and trimmed overlay in one write. `fromScratch`: from the first event on, else from the stored vector.
   * Returns the number of events folded. */
  abstract fold(
    request: ProfileRequest & { until: number; halfLife: HalfLives; fromScratch: boolean },
  ): Promise<number>;
  /** Shoppers of a store with anything known, in key order, a page at a time. */
  abstract shoppers(query: { store: string; after?: string; limit: number }): Promise<ShopperKey[]>;
  /** Forgets the vector (not the events); true where there was one. */
  abstract remove(request: ProfileRequest): Promise<boolean>;
  abstract removeStore(store: string): Promise<number>;
}

/** Milliseconds after which evidence weighs half. */
export interface HalfLives {
  transaction: number;
  cart: number;
  view: number;
}
