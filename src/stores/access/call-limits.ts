import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import { ApiError } from '../../shared/api-error';
import { HashedAddresses } from './address-key';
import { RateLimiter } from './rate-limiter';
import type { Caller, Store } from '../store';

/** Failed authentications a minute from one address, over all interfaces. */
const FAILURES_PER_MINUTE = 20;
/** Browser calls a minute from one address: many shoppers share an address, none of them clicks this fast. */
const ORIGIN_CALLS_PER_MINUTE = 30_000;

/** Of one address. */
export function browserCallsPerMinute({ settings }: Store): number {
  return settings.limits?.originPerMinute ?? ORIGIN_CALLS_PER_MINUTE;
}

/** Limits calls and failed authentications. Calls with valid keys pass unless their store limits itself. */
@Injectable()
export class CallLimits {
  constructor(
    private readonly windows: RateLimiter,
    private readonly clock: Clock,
    private readonly addresses: HashedAddresses,
  ) {}

  /** Counts a failed authentication. Answers the error to reply with: the 401 itself, or 429 once this address has failed too often. */
  async failed(address: string, error: ApiError): Promise<ApiError> {
    const key = `failed ${this.addresses.of(address)}`;
    const { passed, seconds } = await this.windows.take(key, FAILURES_PER_MINUTE, this.clock.now());
    if (passed) return error;
    const message = 'Too many failed authentications from this address';
    return new ApiError('too_many_requests', message, { retryAfter: seconds });
  }

  /** Counts a call. Throws 429 where its caller has used up the limit. */
  async admit({ store, method, address }: Caller): Promise<void> {
    const limit = method === 'origin' ? browserCallsPerMinute(store) : store.settings.limits?.keysPerMinute;
    if (limit === undefined) return;
    const key = method === 'origin' ? `browser ${store.id} ${this.addresses.of(address)}` : `store ${store.id}`;
    const { passed, seconds } = await this.windows.take(key, limit, this.clock.now());
    if (passed) return;
    throw new ApiError('too_many_requests', 'Too many requests in the last minute', { retryAfter: seconds });
  }
}
