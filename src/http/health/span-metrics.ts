import type { Tracing } from '../../tracing/tracing';
import type { Metrics } from './metrics';

/** Served where traces are asked for. */
export function countSpans(metrics: Metrics, tracing: Tracing): void {
  const count = (kind: 'sent' | 'lost'): number => tracing.counts[kind];
  metrics.counter('trace_spans_total', 'Spans for the collector of traces, by what became of them.', {
    kinds: ['sent', 'lost'],
    count,
  });
}
