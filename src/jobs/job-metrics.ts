import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../http/health/metrics';
import { JobQueue, type JobState } from './job-queue';

const WATCHED: readonly JobState[] = ['waiting', 'active', 'failed'];
/** More than this is too much, however much more it is. */
const MOST = 1000;

/** How much background work waits, runs and has failed, counted whenever metrics are read. */
@Injectable()
export class JobMetrics {
  constructor(jobs: JobQueue, metrics: Metrics) {
    const gauge = new Gauge({
      name: 'jobs',
      help: `Background jobs by kind and state, over all processes; at most ${MOST} of a state are counted.`,
      labelNames: ['kind', 'state'] as const,
      registers: [metrics.registry],
      async collect(): Promise<void> {
        gauge.reset();
        await Promise.all(WATCHED.map((state) => count(gauge, jobs, state)));
      },
    });
  }
}

async function count(gauge: Gauge<'kind' | 'state'>, jobs: JobQueue, state: JobState): Promise<void> {
  // Where the storage is down, the other metrics are still answered.
  const found = await jobs.find({ state, limit: MOST }).catch(() => []);
  for (const { kind } of found) gauge.inc({ kind, state });
}
