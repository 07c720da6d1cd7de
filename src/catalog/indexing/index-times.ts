import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../shared/clock';

const MOST = 100_000;

/**
 * When products came into the index, of those this process put there lately. Not kept for good: a write is answered when its
 * product is in the index, so of all others the time they were received tells as much.
 */
@Injectable()
export class IndexTimes {
  private readonly times = new LRUCache<string, { version: number; at: number }>({ max: MOST });

  constructor(private readonly clock: Clock) {}

  note(store: string, products: readonly { productId: string; version: number }[]): void {
    const at = this.clock.now();
    for (const { productId, version } of products) this.times.set(`${store}\n${productId}`, { version, at });
  }

  /** Milliseconds; null: not known of this version. */
  of(store: string, productId: string, version: number): number | null {
    const time = this.times.get(`${store}\n${productId}`);
    return time?.version === version ? time.at : null;
  }
}
