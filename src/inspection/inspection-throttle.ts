import { type ExecutionContext, Injectable } from '@nestjs/common';
import {
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Clock } from '../shared/clock';
import { ApiError } from '../shared/api-error';
import { type RateLimiter, WINDOW_MS } from '../stores/access/rate-limiter';
import type { StoreRequest } from '../stores/access/store-access.guard';

/** Requests a minute of one store, over all routes of inspection and all replicas together. */
export const INSPECTIONS_PER_MINUTE = 10;

type Counted = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** The limiter that everything shares, as the throttler wants it: one count for all replicas. */
class SharedCounts implements ThrottlerStorage {
  constructor(
    private readonly windows: RateLimiter,
    private readonly clock: Clock,
  ) {}

  async increment(key: string, _ttl: number, limit: number): Promise<Counted> {
    const { passed, left, seconds, shared } = await this.windows.take(key, limit, this.clock.now());
    // By itself each replica would let the whole limit pass; unlike a shopper, who looks at records can wait.
    if (!shared) throw new ApiError('unavailable', 'Requests cannot be counted right now; try again');
    const totalHits = passed ? limit - left : limit + 1;
    return { totalHits, timeToExpire: seconds, isBlocked: !passed, timeToBlockExpire: passed ? 0 : seconds };
  }
}

export function throttlerOptions(windows: RateLimiter, clock: Clock): ThrottlerModuleOptions {
  return {
    throttlers: [{ name: 'default', ttl: WINDOW_MS, limit: INSPECTIONS_PER_MINUTE }],
    storage: new SharedCounts(windows, clock),
  };
}

/** 429 where the store of the Caller has used up its requests. Runs after the guard that let the caller in. */
@Injectable()
export class InspectionThrottle extends ThrottlerGuard {
  protected override async getTracker(request: StoreRequest): Promise<string> {
    if (!request.caller) throw new Error('InspectionThrottle needs a guard before it that finds the caller');
    return request.caller.store.id;
  }

  /** Without the route: all of them count together. */
  protected override generateKey(_context: ExecutionContext, store: string): string {
    return `inspection ${store}`;
  }

  protected override async throwThrottlingException(
    _context: ExecutionContext,
    { limit, timeToBlockExpire: seconds }: ThrottlerLimitDetail,
  ): Promise<void> {
    const message = `Inspection is for debugging: ${limit} requests a minute for a store, over all its routes together`;
    const headers = {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(seconds),
    };
    throw new ApiError('too_many_requests', message, { retryAfter: seconds, headers });
  }
}
