import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../http/health/metrics';
import { JobQueue, type JobState } from './job-queue';

/** States worth watching: work that waits, work under way, work that somebody has to look at. */
const WATCHED: readonly JobState[] = ['waiting', 'active', 'failed'];
/** Counted no further: more than this is too much, however much more it is. */
const MOST = 1000;

/** How much background work there is, asked whenever metrics are read. */
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
  // A storage that is down says so itself; the other metrics must not wait for it, or be lost with it.
  const found = await jobs.find({ state, limit: MOST }).catch(() => []);
  for (const { kind } of found) gauge.inc({ kind, state });
}
