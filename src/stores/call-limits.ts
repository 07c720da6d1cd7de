import { Injectable } from '@nestjs/common';
import { Clock } from '../clock';
import { ApiError } from '../http/api-error';
import { addressKey, RateWindow } from './rate-window';
import type { Caller } from './store';

/** Failed authentications a minute from one address, over all interfaces. */
export const FAILURES_PER_MINUTE = 20;
/** Browser calls a minute from one address: many shoppers share an address, none of them clicks this fast. */
export const ORIGIN_CALLS_PER_MINUTE = 30_000;

/** How often somebody may call, and how often fail. Calls with valid keys pass unless their store limits itself. */
@Injectable()
export class CallLimits {
  private readonly failures = new RateWindow();
  private readonly browsers = new RateWindow();
  private readonly stores = new RateWindow();

  constructor(private readonly clock: Clock) {}

  /** The 401 as it is to be answered: itself, or 429 once this address has failed too often. */
  failed(address: string, error: ApiError): ApiError {
    const wait = this.failures.take(addressKey(address), FAILURES_PER_MINUTE, this.clock.now());
    if (wait === 0) return error;
    return new ApiError('too_many_requests', 'Too many failed authentications from this address', { retryAfter: wait });
  }

  /** Throws 429 where this caller has used up what it may. */
  admit({ store, method, address }: Caller): void {
    const { originPerMinute = ORIGIN_CALLS_PER_MINUTE, keysPerMinute = Infinity } = store.settings.limits ?? {};
    const now = this.clock.now();
    const wait =
      method === 'origin'
        ? this.browsers.take(`${store.id} ${addressKey(address)}`, originPerMinute, now)
        : keysPerMinute === Infinity
          ? 0
          : this.stores.take(store.id, keysPerMinute, now);
    if (wait > 0) throw new ApiError('too_many_requests', 'Too many requests in the last minute', { retryAfter: wait });
  }
}
