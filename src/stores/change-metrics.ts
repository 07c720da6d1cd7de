import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { CacheInvalidation } from '../documents/cache-invalidation';
import { Metrics } from '../http/health/metrics';

/** How far this process is behind what other ones have changed. */
@Injectable()
export class ChangeMetrics {
  constructor(caches: CacheInvalidation, { registry }: Metrics) {
    const gauge: Gauge = new Gauge({
      name: 'changes_unseen_seconds',
      help: 'How long ago this process last read what others have changed of stores, tokens, campaigns and opt-outs; 0 where there are no others.',
      registers: [registry],
      collect: () => gauge.set(caches.behindMs() / 1000),
    });
  }
}
