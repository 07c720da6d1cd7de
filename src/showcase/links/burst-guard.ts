import { Injectable } from '@nestjs/common';
import { HashedAddresses } from '../../stores/access/address-key';
import { RateLimiter } from '../../stores/access/rate-limiter';
import type { Store } from '../../stores/store';
import type { Visitor } from './visitor';

/** Clicks on ads a minute from one address. Many shoppers may share one, and few of them click at the same time. */
const MOST_A_MINUTE = 60;

/**
 * Knows addresses that click more than people do. Behind an address that names its users (`X-User-Id`) stands a backend, so each of
 * those is counted alone; a link counts for few others than its own user, whatever names come along.
 */
@Injectable()
export class BurstGuard {
  constructor(
    private readonly windows: RateLimiter,
    private readonly addresses: HashedAddresses,
  ) {}

  async isBurst(store: Store, { address, userId }: Visitor, now: number): Promise<boolean> {
    const limit = store.settings.showcase?.clicksPerMinute ?? MOST_A_MINUTE;
    const key = JSON.stringify(['clicks', store.id, this.addresses.of(address), userId]);
    return !(await this.windows.take(key, limit, now)).passed;
  }
}
