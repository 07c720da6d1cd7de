import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

export const SPAN_FATES = ['sent', 'lost'] as const;
export type SpanCounts = Readonly<Record<(typeof SPAN_FATES)[number], number>>;

/** Counts what the collector takes and what it does not, and says once when that changes. */
export class CountedExporter implements SpanExporter {
  readonly counts = { sent: 0, lost: 0 };
  private failing = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly warn: (line: string) => void,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => {
      const isTaken = result.code === ExportResultCode.SUCCESS;
      this.counts[isTaken ? 'sent' : 'lost'] += spans.length;
      this.say(!isTaken, result.error);
      done(result);
    });
  }

  forceFlush(): Promise<void> {
    return this.exporter.forceFlush?.() ?? Promise.resolve();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  private say(failing: boolean, error: Error | undefined): void {
    if (failing === this.failing) return;
    this.failing = failing;
    this.warn(
      failing
        ? `The collector of traces takes nothing: ${error?.message ?? 'no reason given'}`
        : 'The collector of traces takes what it is sent',
    );
  }
}
