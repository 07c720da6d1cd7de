import { context, ROOT_CONTEXT, type Span, SpanKind, trace, type Tracer as Spans } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { FastifyInstance } from 'fastify';
import type { TracingSettings } from '../config/tracing-settings';
import { within } from '../shared/async/within';
import { traceBy, type TracedWork, type Tracer } from '../shared/tracing';
import { CountedExporter, type SpanCounts } from './counted-exporter';
import { failed } from './failed';
import { traceRedis } from './redis-commands';
import { traceRequests } from './requests';

/** Milliseconds that an export may take: a collector that hangs holds up no other one. */
const EXPORT_WITHIN_MS = 5000;
/** Milliseconds for what is left at the end. */
const LAST_WITHIN_MS = 1000;

/** Traces of requests and jobs, and of what they ask of Elasticsearch and Redis, for an OTLP collector. */
export class Tracing implements Tracer {
  private constructor(
    private readonly spans: Spans,
    private readonly provider: TracerProvider,
    private readonly exporter: CountedExporter,
    private readonly forgetRedis: () => void,
  ) {}

  /** `warn`: told when the collector takes nothing, and when it does again. */
  static start(
    { endpoint, headers, service, share }: TracingSettings,
    { role, warn }: { role: string; warn: (line: string) => void },
  ): Tracing {
    const url = `${endpoint}/v1/traces`;
    const exporter = new CountedExporter(
      new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: EXPORT_WITHIN_MS }),
      warn,
    );
    // Whoever calls may name a trace to go on with, and that it is not to be kept; not that more is kept than the share.
    const root = new TraceIdRatioBasedSampler(share);
    const provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': service, 'vitrine.role': role }),
      sampler: new ParentBasedSampler({ root, remoteParentSampled: root }),
      spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_WITHIN_MS })],
    });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const spans = provider.getTracer('vitrine');
    const tracing = new Tracing(spans, provider, exporter, traceRedis(spans));
    traceBy(tracing);
    return tracing;
  }

  observe(fastify: FastifyInstance): void {
    traceRequests(fastify, this.spans);
  }

  get counts(): SpanCounts {
    return this.exporter.counts;
  }

  run<T>(work: TracedWork, run: () => Promise<T>): Promise<T> {
    const around = trace.getSpan(context.active());
    if (work.kind === 'whole') return this.inSpan(this.whole(work, around), run);
    // A span that has ended is that of whoever began something that goes on, such as a timer.
    if (!around?.isRecording()) return run();
    return this.inSpan(this.spans.startSpan(work.name, { kind: SpanKind.CLIENT, attributes: work.attributes }), run);
  }

  /** Sends what is left, as far as that can be done in a moment. */
  async stop(): Promise<void> {
    traceBy(null);
    this.forgetRedis();
    await within(LAST_WITHIN_MS, this.provider.shutdown()).catch(() => undefined);
    context.disable();
  }

  private whole({ name, attributes }: TracedWork, around: Span | undefined): Span {
    const links = around ? [{ context: around.spanContext() }] : [];
    return this.spans.startSpan(name, { kind: SpanKind.CONSUMER, root: true, links, attributes }, ROOT_CONTEXT);
  }

  private async inSpan<T>(span: Span, run: () => Promise<T>): Promise<T> {
    try {
      return await context.with(trace.setSpan(context.active(), span), run);
    } catch (error) {
      failed(span, error);
      throw error;
    } finally {
      span.end();
    }
  }
}
