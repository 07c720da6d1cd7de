import { LRUCache } from 'lru-cache';
import type { StoredSecret } from './store-secrets';

/** What is decided once of a new store: all that is drawn by chance, and when. */
export interface PlannedStore {
  id: string;
  createdAt: string;
  secretKey: string;
  stored: StoredSecret;
}

/** How long, and of how many stores at most. Milliseconds. */
const KEPT = { ttl: 600_000, max: 1000, ttlAutopurge: true };

/**
 * Stores whose creator was told that the storage is late, by what was asked for. They may be written all the same: whoever asks once more gets
 * the same plan, so that however many of the writes arrive, they make one store, and its secret is known.
 */
export class UnansweredStores {
  private readonly plans = new LRUCache<string, PlannedStore>(KEPT);

  /** For one caller alone. */
  take(asked: string): PlannedStore | undefined {
    const plan = this.plans.get(asked);
    this.plans.delete(asked);
    return plan;
  }

  /** The caller was not answered. */
  keep(asked: string, plan: PlannedStore): void {
    this.plans.set(asked, plan);
  }
}
