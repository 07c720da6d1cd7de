import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../stores/access/rate-limiter';

/** Nobody looks at five products a second for a minute. */
const MOST_A_MINUTE = 300;

/** Knows shoppers that send more than a person can do: what is too much is kept and does not count. */
@Injectable()
export class FloodGuard {
  constructor(private readonly windows: RateLimiter) {}

  async isFlood(shopper: string, now: number): Promise<boolean> {
    return !(await this.windows.take(`flood ${shopper}`, MOST_A_MINUTE, now)).passed;
  }
}
