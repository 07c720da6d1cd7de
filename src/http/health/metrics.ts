import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const NANOSECONDS = 1e9;
/** Milliseconds between two samples. Node's histogram records them as part of the delay. */
const SAMPLE_MS = 10;

/** Recorded nanoseconds -> seconds the event loop was held. */
function held(recorded: number): number {
  return Math.max(0, (recorded || 0) / NANOSECONDS - SAMPLE_MS / 1000);
}

/** What Prometheus reads. Labels hold routes as declared, never what a caller sent. */
@Injectable()
export class Metrics implements OnModuleDestroy {
  readonly registry = new Registry();
  private readonly loopDelay: IntervalHistogram = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  private readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from the first byte of a request to the end of its reply, by route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    registers: [this.registry],
  });

  constructor() {
    this.loopDelay.enable();
    const { loopDelay } = this;
    const delay = new Gauge({
      name: 'nodejs_eventloop_delay_seconds',
      help: 'How long the event loop was held, since the last time this was read.',
      labelNames: ['quantile'] as const,
      registers: [this.registry],
      collect(): void {
        for (const quantile of [50, 90, 99]) {
          delay.set({ quantile: String(quantile / 100) }, held(loopDelay.percentile(quantile)));
        }
        delay.set({ quantile: '1' }, held(loopDelay.max));
        loopDelay.reset();
      },
    });
    this.gauge('process_resident_memory_bytes', 'Memory the process holds.', () => process.memoryUsage.rss());
  }

  /** A gauge whose value is asked for whenever metrics are read. */
  gauge(name: string, help: string, value: () => number | Promise<number>): void {
    const collect = async (): Promise<void> => gauge.set(await value());
    const gauge = new Gauge({ name, help, registers: [this.registry], collect });
  }

  /** A counter kept elsewhere, by kind, read whenever metrics are. */
  counter<K extends string>(
    name: string,
    help: string,
    { kinds, count }: { kinds: readonly K[]; count: (kind: K) => number },
  ): void {
    const collect = (): void => {
      counter.reset();
      for (const kind of kinds) counter.inc({ kind }, count(kind));
    };
    const counter = new Counter({ name, help, labelNames: ['kind'] as const, registers: [this.registry], collect });
  }

  observe(fastify: FastifyInstance): void {
    fastify.addHook('onResponse', (request, reply, done) => {
      const { method, routeOptions } = request;
      this.answered({ method, route: routeOptions.url ?? 'unknown', status: reply.statusCode }, reply.elapsedTime);
      done();
    });
  }

  /** Counts a request. `route`: as declared. */
  answered(labels: { method: string; route: string; status: number }, ms: number): void {
    this.requests.observe(labels, ms / 1000);
  }

  onModuleDestroy(): void {
    this.loopDelay.disable();
  }
}
