import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../shared/api-error';
import { Clock } from '../shared/clock';
import { RateLimiter } from '../stores/access/rate-limiter';
import type { StoreRequest } from '../stores/access/store-access';

/** Requests a minute of one store, over all routes of inspection and all replicas together. */
const LIMIT = 10;

/** 429 where the store of the Caller has used up its requests. Runs after the guard that let the caller in. */
@Injectable()
export class InspectionThrottle implements CanActivate {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { caller } = http.getRequest<StoreRequest>();
    if (!caller) throw new Error('InspectionThrottle needs a guard before it that finds the caller');
    const taken = await this.limiter.take(`inspection ${caller.store.id}`, LIMIT, this.clock.now());
    // By itself each replica would let the whole limit pass. Unlike a shopper, who looks at records can wait.
    if (!taken.shared) throw new ApiError('unavailable', 'Requests cannot be counted right now; try again');
    const headers = {
      'x-ratelimit-limit': String(LIMIT),
      'x-ratelimit-remaining': String(taken.left),
      'x-ratelimit-reset': String(taken.seconds),
    };
    if (!taken.passed) {
      const message = `Inspection is for debugging: ${LIMIT} requests a minute for a store, over all its routes together`;
      throw new ApiError('too_many_requests', message, { retryAfter: taken.seconds, headers });
    }
    http.getResponse<FastifyReply>().headers(headers);
    return true;
  }
}
