import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../shared/clock';

const MOST = 100_000;

/**
 * When this process put products into the index, of the latest ones. Nothing is stored: a write is answered when its product is in the
 * index, so the time it was received says as much of all others.
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
