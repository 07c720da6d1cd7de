import { Injectable, Module } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../../http/health/metrics';
import { CatalogHealthController } from './catalog-health.controller';
import { CatalogHealth, ratioOf } from './catalog-health.service';
import { catalogProblems } from './findings';

/** What the last looks found, over all stores, whenever metrics are read. */
@Injectable()
class CatalogHealthMetrics {
  constructor(health: CatalogHealth, metrics: Metrics) {
    const gauge = new Gauge({
      name: 'catalog_problems',
      help: 'Products of all stores by what keeps them from being found, as of the last daily look.',
      labelNames: ['problem'] as const,
      registers: [metrics.registry],
      async collect(): Promise<void> {
        // Where the storage is down, the other metrics are still answered.
        const summaries = await health.summaries().catch(() => []);
        for (const problem of catalogProblems) {
          gauge.set(
            { problem },
            summaries.reduce((sum, { problems }) => sum + problems[problem], 0),
          );
        }
      },
    });
    metrics.gauge('catalog_size_ratio', 'Products by those of the day before, of the store that lost most.', async () =>
      Math.min(1, ...(await health.summaries().catch(() => [])).map((summary) => ratioOf(summary) ?? 1)),
    );
  }
}

/** Needs CatalogRecords, Documents, JobQueue, WebhookEmitter and Metrics. */
@Module({
  controllers: [CatalogHealthController],
  providers: [CatalogHealth, CatalogHealthMetrics],
  exports: [CatalogHealth],
})
export class CatalogHealthModule {}
