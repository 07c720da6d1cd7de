import { type Span, SpanStatusCode } from '@opentelemetry/api';

/** Marks a span. Without the message, which may quote what was sent. */
export function failed(span: Span, error: unknown): void {
  const { code, name = 'Error' } = Object(error) as { code?: unknown; name?: string };
  span.setAttribute('error.type', typeof code === 'string' ? code : name);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
